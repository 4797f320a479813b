"""The message on a page that has nothing to show."""

from viewer.why.elements import box, words


def nothing(text: str) -> None:
    """Add the message that there is nothing to show, with the reason."""
    with box("section", "card"):
        words("p", text, "soft")
