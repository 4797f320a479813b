"""The possible answers of a model at each step, and the code that reads its replies."""
