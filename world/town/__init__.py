"""A town's folder: its map, places, people and history are read, checked and drawn here."""
