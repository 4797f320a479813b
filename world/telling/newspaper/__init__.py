"""A town's newspaper: what mattered on a day, by rule, in the words of what was recorded."""
