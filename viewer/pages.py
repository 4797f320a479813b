"""All pages and routes of the app, each added by the module that draws it."""

from fastapi import FastAPI
from nicegui import ui

from viewer.house import House


def add_all(app: FastAPI, house: House) -> None:
    """Add every page of the app."""
    from viewer import town_page
    from viewer.charts import charts_page
    from viewer.comparing import page as comparing_page
    from viewer.film import routes as film_routes
    from viewer.starting import page as starting_page
    from viewer.story import pages as story_pages
    from viewer.why import pages as why_pages

    for field in (ui.input, ui.textarea, ui.select, ui.number):
        field.default_props("outlined dense")
    film_routes.add(app, house)
    town_page.add(app, house)
    why_pages.add(house)
    story_pages.add(house)
    charts_page.add(house)
    starting_page.add(house)
    comparing_page.add(house)
