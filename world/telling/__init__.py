"""What a run held, told: as a story, as counts, and as it stands."""
