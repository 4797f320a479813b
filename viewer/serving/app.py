"""The whole app: pages and data of a folder of runs, as one guarded ASGI application."""

from fastapi import FastAPI
from nicegui import ui

from viewer.house import House
from viewer.serving.calm import add_calm_pages
from viewer.serving.door import Door
from viewer.serving.guard import Guard
from viewer.serving.stage_files import stage_files

TITLE = "Smolville"


def build_app(house: House, door: Door) -> Guard:
    """Return the app over a folder of runs, behind its door."""
    from viewer import pages

    app = FastAPI(title=TITLE, docs_url=None, redoc_url=None, openapi_url=None)
    app.mount("/stage", stage_files())
    pages.add_all(app, house)
    add_calm_pages(app)
    # Nothing is packed: on the way to this very machine it would only take time.
    ui.run_with(
        app,
        title=TITLE,
        language="en-US",
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        gzip_middleware_factory=None,
    )
    return Guard(app, door)
