"""Pages that fail in a sentence: what cannot be shown, and the way back."""

from collections.abc import Iterator
from contextlib import contextmanager

from viewer.controls import TROUBLE, sentence
from viewer.frame import frame
from viewer.why.elements import box, link, words


def trouble(title: str, error: Exception) -> None:
    """Fill a page with what is wrong."""
    with frame(title), box("section", "card"):
        words("p", sentence(error), "story-trouble")
        link("Choose another run", "/start", "way")


def nothing(text: str) -> None:
    """Say that there is nothing to show, and why."""
    with box("section", "card"):
        words("p", text, "soft")


@contextmanager
def calm(title: str) -> Iterator[None]:
    """Turn what is wrong with a run into the page itself."""
    try:
        yield
    except TROUBLE as error:
        trouble(title, error)
