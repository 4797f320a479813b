"""The rules by which the stand-in answers each step: they prove form and speed, not quality."""
