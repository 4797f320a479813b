"""Taking part in a town: asking, talking, whispering, changing things, forking."""
