"""Traces: thoughts and talks as trees of spans, for LangSmith and OpenTelemetry."""
