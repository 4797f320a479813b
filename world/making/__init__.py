"""New towns and people: their map, their files, and the questions that fill them."""
