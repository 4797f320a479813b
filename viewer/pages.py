"""All pages and routes of the app; each is added by the module that draws it."""

from importlib import import_module

from fastapi import FastAPI

from smolville.viewer.config import AppConfig

FIRST = ("/run/", "/replay/", "/stage/", "/_nicegui")
"""Prefixes of the addresses that make up a town page."""
REST = (
    *("why.pages", "story.story_page", "story.news_page", "story.path_page"),
    *("story.relations_page", "story.knowledge_page", "charts.charts_page"),
    *("starting.start_page", "compare_page"),
)
"""The modules of the other pages."""


def add_first(app: FastAPI, config: AppConfig) -> None:
    """Add the routes for watching a town; they import little, so that the app starts quickly."""
    from smolville.viewer import town_page
    from smolville.viewer.playback import routes as replay_routes

    replay_routes.add(app, config)
    town_page.add(app, config)


def load_rest() -> None:
    """Import the modules of the other pages.

    This takes as long as everything else that the app does when it starts.
    """
    for name in REST:
        import_module(f"smolville.viewer.{name}")


def add_rest(config: AppConfig) -> None:
    """Add all other pages."""
    from nicegui import app

    from smolville.viewer.controls import outline_fields
    from smolville.viewer.taking_part.interview import close_rooms

    app.on_shutdown(close_rooms)
    outline_fields()
    for name in REST:
        import_module(f"smolville.viewer.{name}").add(config)


def is_first(path: str) -> bool:
    """Return whether an address is answered by the pages added first."""
    parts = path.strip("/").split("/")
    is_deeper = parts[0] == "run" and len(parts) > 2
    return path == "/" or (path.startswith(FIRST) and not is_deeper)
