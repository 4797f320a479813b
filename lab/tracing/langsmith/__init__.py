"""Traces in LangSmith: built from a run's history, posted by the official client."""
