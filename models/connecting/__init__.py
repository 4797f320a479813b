"""Make the chat for each kind of spec: one file per kind, with the dialect of its server."""
