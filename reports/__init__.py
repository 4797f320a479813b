"""Reports about a run: its story, its numbers, and the present state of its town."""
