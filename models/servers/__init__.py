"""Model servers: where they are, what they say of themselves, how their calls get lost."""
