"""`smolville trace`: what a mind did, as a list, as a tree, and as OpenTelemetry JSON."""
