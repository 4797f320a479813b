"""`smolville health`: how often a run's models answered well, and what went wrong."""
