"""Error pages: one sentence, and a link to go on."""

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from nicegui import Client, ui
from nicegui import app as nicegui_app

from smolville.agents.errors import SmolvilleError
from smolville.agents.wording import as_sentence
from smolville.models.errors import ModelError
from smolville.viewer.frame import frame

NOT_THERE = "There is no page at this address."
BROKEN = "This page could not be made. The town is not touched by it; what broke was logged."
DATA = ("/replay/", "/stage/")
"""Prefixes of data addresses, whose errors are sent as JSON."""


def add_error_pages(app: FastAPI) -> None:
    """Register handlers that turn errors of pages and data into a sentence."""
    for error in (SmolvilleError, ModelError):
        nicegui_app.add_exception_handler(error, _respond_with_error)
        app.add_exception_handler(error, _respond_with_error)
    nicegui_app.add_exception_handler(404, _missing)
    nicegui_app.add_exception_handler(Exception, _respond_page_failed)


def _sentence_page(request: Request, text: str, status: int) -> Response:
    with Client(ui.page(""), request=request) as client:
        say_error(text)
    return client.build_response(request, status)


def say_error(text: str) -> None:
    """Fill the current page with a sentence and a link to the runs."""
    with frame("Smolville"):
        ui.label(text).classes("calm-sentence")
        ui.link("See the runs that are here", "/start")


async def _respond_with_error(request: Request, error: Exception) -> Response:
    text = as_sentence(str(error) or type(error).__name__)
    if request.url.path.startswith(DATA):
        return JSONResponse({"error": text}, 404)
    return _sentence_page(request, text, 404)


async def _missing(request: Request, error: Exception) -> Response:
    if request.url.path.startswith(("/_nicegui", *DATA)):
        return JSONResponse({"error": NOT_THERE}, 404)
    return _sentence_page(request, NOT_THERE, 404)


async def _respond_page_failed(request: Request, error: Exception) -> Response:
    """Return the response for a page that could not be made; the error itself is logged."""
    return _sentence_page(request, BROKEN, 500)
