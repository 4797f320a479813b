"""The app as a server: its pages put together, guarded, and bound to a port."""
