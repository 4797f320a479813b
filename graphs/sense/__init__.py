"""Whether an answer that parses also makes sense: pure checks, declared by each step."""
