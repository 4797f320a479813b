"""Blind comparison of two variants' answers: by a person, or by a model asked in both orders."""
