"""The answers of a model about a new town or a new person."""
