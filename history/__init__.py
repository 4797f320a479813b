"""Runs on disk: the spec of each run, its append-only history, minds, memories and inbox."""
