"""`smolville export`: write what a run holds to files for other programs."""
