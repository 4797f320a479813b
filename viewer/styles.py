"""The style sheets of the app: which ones a town is drawn with, and how a page asks for them."""

from pathlib import Path

STAGE = Path(__file__).parent / "stage"
"""Scripts and styles, served under `/stage/`."""
SHEETS = STAGE / "styles"
"""Where the sheets lie."""
EVERYWHERE = ("theme", "frame")
"""Of every page."""
TOWN = (
    *("theme", "stage", "head", "bar", "strip", "find", "roster", "feed"),
    *("people", "people_lists", "person_sections", "person_day"),
)
"""Of a town, served or in a file, each over those before it."""


def links(*names: str) -> str:
    """Return the HTML with which a page's head asks for sheets."""
    return "".join(f'<link rel="stylesheet" href="/stage/styles/{name}.css">' for name in names)


def style(*names: str) -> None:
    """Dress the present page in sheets."""
    # An export reads sheets too, and wants nothing of pages.
    from nicegui import ui

    ui.add_head_html(links(*names))
