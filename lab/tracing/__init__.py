"""Traces: thoughts and talks as trees of spans, for the terminal, LangSmith and OpenTelemetry."""
