"""What a model may answer when a new town or a new person is made."""
