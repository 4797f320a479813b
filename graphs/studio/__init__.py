"""The graphs that LangGraph Studio opens, with small inputs for a person to fill in."""
