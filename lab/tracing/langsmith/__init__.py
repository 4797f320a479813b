"""LangSmith traces: built from a run's history and posted through the official client."""
