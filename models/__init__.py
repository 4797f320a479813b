"""Which chat and embedding model answers: specs, servers, calls, and what can go wrong."""
