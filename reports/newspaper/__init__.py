"""A town's newspaper: what mattered on a day, chosen by rule, in the recorded words."""
