"""Reports about a run: as a story, as numbers, and as it stands at present."""
