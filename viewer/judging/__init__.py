"""Blind judging of two variants' answers in the browser."""
