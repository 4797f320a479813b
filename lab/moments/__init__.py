"""Moments (recorded uses of steps) of a run: finding, saving and loading them."""
