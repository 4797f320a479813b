"""The built-in stand-in: a chat model of rules, for a town without any model."""
