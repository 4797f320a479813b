"""Why somebody did something: a thought or a talk, call by call, and the lab beside it."""
