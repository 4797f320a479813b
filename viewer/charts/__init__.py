"""Charts of how a run's models perform, each with its figures as a table."""
