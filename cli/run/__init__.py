"""`smolville run`: begin or resume a run, and watch it live."""
