"""Taking part in a town: asking, talking, whispering, changing things, forking."""

from viewer.taking_part.dialogs import add_dialogs

__all__ = ["add_dialogs"]
