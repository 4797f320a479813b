"""The loop of every step (ask, read, repair or fall back), and the client that calls the models."""
