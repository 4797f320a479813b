"""The loop every step runs: ask, read, repair or fall back; and the desk where models are asked."""
