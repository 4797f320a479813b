"""`smolville moments`: every use of a step in a run, to look at and to ask again."""
