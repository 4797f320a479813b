"""The browser app: a run, living or over, as a town to watch."""
