"""Keywords of a text, chosen by a model."""
