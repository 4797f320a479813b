"""The start page: the existing runs, and a form for a new one."""
