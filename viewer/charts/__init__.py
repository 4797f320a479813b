"""A run's models as charts, each with its figures as a table."""
