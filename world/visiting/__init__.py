"""Visitors: people from outside who walk in, are seen, talk, and leave again."""
