"""Reports about a run: as a story, as numbers, and as it currently stands."""
