"""The style sheets of the app: their names, and the HTML that links them."""

from pathlib import Path

STAGE = Path(__file__).parent / "stage"
"""Scripts and styles, served under `/stage/`."""
SHEETS = STAGE / "styles"
"""Folder of the style sheets."""
EVERYWHERE = ("theme", "frame", "head")
"""Style sheets of every page."""
TOWN = ("theme", "stage", "head", "bar", "strip", "side")
"""Style sheets of a town page, served or exported; later sheets override earlier ones."""


def links(*names: str) -> str:
    """Return the HTML that links style sheets in a page's head."""
    return "".join(f'<link rel="stylesheet" href="/stage/styles/{name}.css">' for name in names)


def style(*names: str) -> None:
    """Add style sheets to the current page."""
    # Imported here, because an export also uses this module and needs no pages.
    from nicegui import ui

    ui.add_head_html(links(*names))
