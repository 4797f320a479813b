"""`smolville prompt`: show, render, check, copy out, try and evaluate templates."""
