"""Comparison of two runs: whether they are equal, where they diverge, and each person's deeds."""
