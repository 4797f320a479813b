"""`smolville view`: the browser app."""
