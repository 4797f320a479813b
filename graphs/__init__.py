"""How a mind works: every cognitive step as a LangGraph run. LangGraph is imported here only."""
