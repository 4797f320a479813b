"""The rules by which the stand-in answers each step, and the daily life they know."""
