"""Taking part from the command line: announcements, visitors, and talks with people."""
