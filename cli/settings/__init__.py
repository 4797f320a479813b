"""Settings: from flags, variables, `.env` and `smolville.toml`, each with where it came from."""
