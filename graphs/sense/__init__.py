"""Sense checks: pure functions that test whether an answer that parses also makes sense."""
