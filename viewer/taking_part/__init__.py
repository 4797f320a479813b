"""Taking part in a town: interviews, talks, whispers, changes, forks."""

from smolville.viewer.taking_part.dialogs import add_dialogs

__all__ = ["add_dialogs"]
