"""The `smolville` command: thin, quick to start, and calm."""
