"""A town's newspaper: the important events of a day, chosen by rule, in the recorded words."""
