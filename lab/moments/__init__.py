"""Frozen moments of a run: found, kept in files, asked again."""
