"""`smolville doctor`: check the models of this machine before a run uses them."""
