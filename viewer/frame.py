"""Elements shared by all pages: head, theme, and navigation."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from nicegui import ui

from viewer.styles import EVERYWHERE, links

PLACES = (
    ("Town", "/run/{run}"),
    ("Story", "/run/{run}/story"),
    ("News", "/run/{run}/news"),
    ("People", "/run/{run}/relations"),
    ("Model", "/run/{run}/charts"),
)
"""The pages of a run."""


def run_address(run: str, path: str = "") -> str:
    """Return the address of a run's page: `run_address("first", "why/Ada Brook/12")`."""
    return "/run/" + quote(run, safe="") + (f"/{quote(path)}" if path else "")


def dress(title: str) -> None:
    """Set the title, theme and style sheets of the current page."""
    ui.page_title(f"{title} · Smolville")
    ui.add_head_html(links(*EVERYWHERE) + '<script type="module" src="/stage/theme.js"></script>')


@contextmanager
def frame(title: str, run: str = "", here: str = "") -> Iterator[None]:
    """Draw a page's header with navigation; the block then adds the main part.

    `here` is the name of the current page among PLACES.
    """
    dress(title)
    with ui.element("header").classes("frame-header"):
        ui.link("Smolville", "/").classes("frame-name")
        with ui.element("nav").props('aria-label="Pages"'):
            for name, address in PLACES if run else ():
                link = ui.link(name, address.format(run=quote(run, safe="")))
                if name == here:
                    link.props('aria-current="page"')
            ui.link("Runs", "/start")
        if run:
            ui.label(run).classes("frame-run")
    # NiceGUI has put a `main` around the page already.
    with ui.element("div").classes("frame-main"):
        with ui.element("h1").classes("frame-title"):
            ui.label(title)
        yield
