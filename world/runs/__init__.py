"""Runs on disk: what was asked, the append-only history, minds, memories and the inbox."""
