"""Two variants' answers compared blind: by a person, or by a model asked in both orders."""
