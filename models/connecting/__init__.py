"""Create the chat model for each kind of spec: one file per kind, with its server's dialect."""
