"""What a model may answer at each step, and how its replies are read."""
