"""A trial of a model: a fixed set of moments of every step, and how it did on them."""
