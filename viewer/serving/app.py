"""The whole app: pages and data of a folder of runs, as one ASGI application."""

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui

from viewer import pages
from viewer.house import AppRuns
from viewer.serving.calm import add_calm_pages
from viewer.serving.later import LazyPages
from viewer.serving.stage_files import stage_files

TITLE = "Smolville"
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<path fill="#7a3b63" d="M3 16 16 4l13 12v13H3z"/><path fill="#fbf8f1" d="M13 19h6v10h-6z"/>'
    "</svg>"
)
"""The site icon, a house; it is part of the page, because browsers request an icon file again for
every address."""


def build_app(house: AppRuns) -> LazyPages:
    """Return the app for a folder of runs, without access control."""
    app = FastAPI(title=TITLE, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_route("/stage/{path:path}", stage_files())
    pages.add_first(app, house)
    add_calm_pages(app)
    # NiceGUI's loading bar would follow the page's own requests, and has no accessible name.
    nicegui_app.config.quasar_config["loadingBar"]["skipHijack"] = True
    # No compression: on the same machine it would only take time.
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
    return LazyPages(app, house)
