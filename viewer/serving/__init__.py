"""The app as a server: its pages, access control, and the socket it listens on."""
