"""The doctor: examines the models available on a machine before a town is run with them."""
