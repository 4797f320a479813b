"""Steps that make a new person."""
