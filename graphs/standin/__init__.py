"""The rules by which the stand-in answers each step, and their knowledge of daily life."""
