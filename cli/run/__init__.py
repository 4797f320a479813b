"""`smolville run`: begin a run or go on with one, and watch it live."""
