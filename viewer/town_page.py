"""The page of a town: the stage, which draws itself, and dialogs over it."""

from nicegui import ui

from viewer.frame import dress
from viewer.house import House

MODULES = ("main.js",)
"""Scripts that are fetched at once, before the first one asks for them."""


def add(house: House) -> None:
    """Add `/run/NAME`."""

    @ui.page("/run/{run}")
    def town(run: str) -> None:
        folder = house.folder(run)
        dress(folder.name)
        ui.add_head_html('<link rel="stylesheet" href="/stage/stage.css">')
        ui.add_body_html(
            '<div id="stage"></div><script type="module" src="/stage/served.js"></script>'
        )
