"""All pages and routes of the app, each added by the module that draws it."""

from fastapi import FastAPI

from viewer.house import House


def add_all(app: FastAPI, house: House) -> None:
    """Add every page of the app."""
    from viewer import town_page

    town_page.add(house)
