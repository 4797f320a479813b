"""`smolville trace`: thoughts and talks as a list, as a tree, and as OpenTelemetry JSON."""
