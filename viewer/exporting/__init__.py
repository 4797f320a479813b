"""A run as one file: the stage and the film in a page that plays anywhere, without a server."""
