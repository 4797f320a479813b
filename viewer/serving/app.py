"""The whole app: pages and data of a folder of runs, as one ASGI application."""

from typing import Any

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from nicegui import ui

from viewer.frame import STAGE
from viewer.house import House


def build_app(house: House) -> Any:
    """Return the app over a folder of runs."""
    from viewer import pages

    app = FastAPI(title="Smolville", docs_url=None, redoc_url=None, openapi_url=None)
    app.mount("/stage", StaticFiles(directory=STAGE))
    pages.add_all(app, house)
    ui.run_with(app, title="Smolville", dark=None, tailwind=False, show_welcome_message=False)
    return app
