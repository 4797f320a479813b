"""`smolville doctor`: look at the models of this machine before a town lives on them."""
