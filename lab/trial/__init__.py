"""Model trials: how a model performs on a fixed set of moments of every step."""
