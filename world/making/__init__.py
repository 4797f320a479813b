"""New towns and people: their map, their files, and the questions whose answers fill them."""
