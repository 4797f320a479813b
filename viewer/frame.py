"""Elements shared by all pages: theme, style sheets, and the header with its navigation."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from urllib.parse import quote

from nicegui import ui

from smolville.viewer.bundle import EVERYWHERE
from smolville.viewer.elements import link, sound, words
from smolville.viewer.serving.stage_files import WHOLE

ENTRY = "page.js"
"""Module that fills the header of a page; used by pages that the stage does not draw."""
WITHOUT_SCRIPTS = (
    '<noscript><p class="calm-sentence">Smolville draws its pages with scripts: allow them for '
    "this address in your browser, and load the page again. They come from this machine.</p>"
    "</noscript>"
)
"""Message shown by a browser that runs no scripts."""
SCRIPTS = ("token", "theme")
"""Modules of the stage that every page runs."""


def run_address(run: str, path: str = "") -> str:
    """Return the address of a run's page: `run_address("first", "why/Ada Brook/12")`."""
    return "/run/" + quote(run, safe="") + (f"/{quote(path)}" if path else "")


def links(*names: str) -> str:
    """Return the HTML that links style sheets in a page's head."""
    return "".join(f'<link rel="stylesheet" href="/stage/styles/{name}.css">' for name in names)


def style(*names: str) -> None:
    """Add style sheets to the current page."""
    ui.add_head_html(links(*names))


def dress(title: str) -> None:
    """Set the title, theme and style sheets of the current page."""
    ui.page_title(f"{title} · Smolville")
    scripts = (f'<script type="module" src="/stage/{name}.js"></script>' for name in SCRIPTS)
    ui.add_head_html(links(*EVERYWHERE) + "".join(scripts))
    ui.add_body_html(WITHOUT_SCRIPTS)


@contextmanager
def frame(title: str, run: str = "", here: str = "") -> Iterator[None]:
    """Draw a page's header with navigation; the block then adds the main part.

    `here` is the name of the current page in the navigation.
    """
    dress(title)
    # The header has its height before the script fills it, so that nothing below it moves.
    ui.add_body_html(
        f'<header class="head" data-run="{escape(sound(run))}" data-here="{escape(here)}"></header>'
        f'<script type="module" async src="/stage/{WHOLE}{ENTRY}"></script>'
    )
    # NiceGUI has put a `main` around the page already.
    with ui.element("div").classes("frame-main"):
        words("h1", title, "frame-title")
        yield


def say_error(text: str) -> None:
    """Fill the current page with a sentence and a link to the runs."""
    with frame("Smolville"):
        words("span", text, "calm-sentence")
        link("See the runs that are here", "/start")
