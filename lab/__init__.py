"""Tools for examining models and prompts: the doctor, evaluations, moments and model trials."""
