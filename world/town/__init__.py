"""A town's folder: map, places, people and their history, read, checked and drawn."""
