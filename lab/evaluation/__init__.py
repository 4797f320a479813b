"""Evaluations: stored moments asked again with other templates and models, and compared."""
