"""Steps that make a new town and its people: outside any run, with no mind and no memories."""
