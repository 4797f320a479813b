"""All pages and routes of the app; each is added by the module that draws it."""

from fastapi import FastAPI

from smolville.viewer.config import AppConfig

FIRST = ("/run/", "/replay/", "/stage/", "/_nicegui")
"""Prefixes of the addresses that make up a town page."""


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
    import smolville.viewer.charts.charts_page
    import smolville.viewer.compare_page
    import smolville.viewer.starting.start_page
    import smolville.viewer.story.knowledge_page
    import smolville.viewer.story.news_page
    import smolville.viewer.story.path_page
    import smolville.viewer.story.relations_page
    import smolville.viewer.story.story_page
    import smolville.viewer.why.pages  # noqa: F401 - all of them are used by `add_rest`


def add_rest(config: AppConfig) -> None:
    """Add all other pages."""
    from nicegui import app

    from smolville.viewer import compare_page
    from smolville.viewer.charts import charts_page
    from smolville.viewer.controls import outline_fields
    from smolville.viewer.starting import start_page
    from smolville.viewer.story import (
        knowledge_page,
        news_page,
        path_page,
        relations_page,
        story_page,
    )
    from smolville.viewer.taking_part.interview import close_rooms
    from smolville.viewer.why import pages as why_pages

    app.on_shutdown(close_rooms)
    outline_fields()
    why_pages.add(config)
    for page in (
        *(story_page, news_page, path_page, relations_page, knowledge_page),
        *(charts_page, start_page, compare_page),
    ):
        page.add(config)


def is_first(path: str) -> bool:
    """Return whether an address is answered by the pages added first."""
    parts = path.strip("/").split("/")
    is_deeper = parts[0] == "run" and len(parts) > 2
    return path == "/" or (path.startswith(FIRST) and not is_deeper)
