"""All pages and routes of the app, each added by the module that draws it."""

from fastapi import FastAPI

from viewer.house import House


def add_all(app: FastAPI, house: House) -> None:
    """Add every page of the app."""
    from viewer import town_page
    from viewer.film import routes as film_routes
    from viewer.why import pages as why_pages

    film_routes.add(app, house)
    town_page.add(app, house)
    why_pages.add(house)
