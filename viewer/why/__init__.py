"""Pages that explain a thought or a talk call by call, and the lab for editing its prompts."""
