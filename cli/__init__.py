"""The `smolville` command-line interface: a thin layer that starts quickly."""
