"""Templates under a lamp: what they say, what they become, what is wrong with them."""
