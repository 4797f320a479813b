"""The same examples on every machine and in every run."""

from hypothesis import settings

settings.register_profile("town", derandomize=True, deadline=None)
settings.load_profile("town")
