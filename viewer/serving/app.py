"""The whole app: pages and data of a folder of runs, as one ASGI application."""

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui

from viewer import pages
from viewer.house import House
from viewer.serving.calm import add_calm_pages
from viewer.serving.later import Later
from viewer.serving.stage_files import stage_files

TITLE = "Smolville"
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<path fill="#7a3b63" d="M3 16 16 4l13 12v13H3z"/><path fill="#fbf8f1" d="M13 19h6v10h-6z"/>'
    "</svg>"
)
"""A house; part of the page, for a browser asks for one anew whenever the address changes."""


def build_app(house: House) -> Later:
    """Return the app over a folder of runs, without a door yet."""
    app = FastAPI(title=TITLE, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_route("/stage/{path:path}", stage_files())
    pages.add_first(app, house)
    add_calm_pages(app)
    # Its bar at the top follows the page's own wire, for ever, and has no name for who listens.
    nicegui_app.config.quasar_config["loadingBar"]["skipHijack"] = True
    # Nothing is packed: on the way to this very machine it would only take time.
    ui.run_with(
        app,
        title=TITLE,
        favicon=ICON,
        language="en-US",
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        gzip_middleware_factory=None,
    )
    return Later(app, house)
