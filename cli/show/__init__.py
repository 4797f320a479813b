"""`smolville show`: views of a run, for people and as JSON for programs."""
