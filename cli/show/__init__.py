"""`smolville show`: everything there is to see of a run, for people and for programs."""
