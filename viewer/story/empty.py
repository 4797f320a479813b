"""What a page says where there is nothing to show."""

from viewer.why.elements import box, words


def nothing(text: str) -> None:
    """Say that there is nothing to show, and why."""
    with box("section", "card"):
        words("p", text, "soft")
