"""A town as its folder says: map, places, people and their history, read, checked and drawn."""
