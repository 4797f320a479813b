"""Look at the models of a machine before a town lives on them."""
