"""Settings from flags, variables, `.env` and `smolville.toml`, each with its origin."""
