"""The guided start, and the runs that are there."""
