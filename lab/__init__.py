"""Where models and prompts are examined: the doctor, trials of a model."""
