"""`smolville export`: what a run holds, in files that other programs read."""
