"""Chat models and embedders: their specs, servers, calls and errors."""
