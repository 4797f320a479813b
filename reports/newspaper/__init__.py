"""A town's newspaper: the important events of a day, chosen by rule and quoted from the record."""
