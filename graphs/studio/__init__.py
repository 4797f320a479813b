"""The graphs as LangGraph Studio opens them: small inputs that a person fills in by hand."""
