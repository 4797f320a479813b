"""The mind: every cognitive step as a LangGraph graph. No other package imports LangGraph."""
