"""The film's addresses: `/film/NAME/head.json`, `tracks.json`, `person/N.json` and `live`."""

from collections.abc import AsyncGenerator, Callable
from typing import Annotated, Any

from fastapi import FastAPI, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from agents.errors import SmolvilleError
from viewer.film.faults import sentence
from viewer.film.live import Watches
from viewer.film.reel import Reel
from viewer.film.replies import json_reply, refusal
from viewer.film.towns import Towns
from viewer.house import House

MOST_TICKS = 1 << 53
"""As far as a browser counts."""

Since = Annotated[int, Query(ge=-1, le=MOST_TICKS)]
"""The last tick that the asker knows; -1 for nothing."""


class Stream(StreamingResponse):
    """Server-Sent Events, each sent on at once; what makes them ends when the asker leaves."""

    def __init__(self, messages: AsyncGenerator[bytes, None]) -> None:
        self._messages = messages
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(messages, media_type="text/event-stream", headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is until one side ends it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._messages.aclose()


def add(app: FastAPI, house: House, towns: Towns | None = None) -> Watches:
    """Add the film's addresses, and return who watches what at a moment.

    Each is answered in a thread of its own, but for `live`.
    """
    known = towns or Towns()
    watches = Watches(known)
    _add_live(app, house, watches)

    @app.get("/film/{name}/head.json")
    def head(request: Request, name: str) -> Response:
        return _answer(house, known, request, name, Reel.head)

    @app.get("/film/{name}/tracks.json")
    def tracks(request: Request, name: str, since: Since = -1) -> Response:
        return _answer(house, known, request, name, lambda reel: reel.tracks(since))

    @app.get("/film/{name}/person/{n}.json")
    def person(request: Request, name: str, n: int) -> Response:
        return _answer(house, known, request, name, lambda reel: reel.person(n))

    return watches


def _add_live(app: FastAPI, house: House, watches: Watches) -> None:
    """Add the address at which a run is watched."""

    @app.get("/film/{name}/live")
    async def live(
        request: Request,
        name: str,
        since: Since = -1,
        last_event_id: Annotated[str, Header()] = "",
    ) -> Response:
        try:
            folder = house.folder(name)
        except SmolvilleError as error:
            return _unknown(house, request, name, error)
        known = min(int(last_event_id), MOST_TICKS) if _is_tick(last_event_id) else since
        return Stream(watches.follow(folder, known))


def _answer(
    house: House, towns: Towns, request: Request, name: str, read: Callable[[Reel], Any]
) -> Response:
    """Read something of a run's film, or say why not."""
    try:
        folder = house.folder(name)
    except SmolvilleError as error:
        return _unknown(house, request, name, error)
    try:
        with Reel(folder, towns) as reel:
            return json_reply(request, read(reel))
    except SmolvilleError as error:
        return refusal(request, 409, sentence(error, folder))
    except LookupError:
        return refusal(request, 404, f"Nobody in the run {name!r} has this number.")


def _unknown(house: House, request: Request, name: str, error: SmolvilleError) -> Response:
    """Say that there is no such run, or what is wrong with what it says of itself."""
    if name in house.names():
        return refusal(request, 409, str(error).replace(str(house.runs), house.runs.name))
    known = ", ".join(house.names()) or "none yet"
    return refusal(request, 404, f"There is no run {name!r} here. There are: {known}.")


def _is_tick(text: str) -> bool:
    """True for a tick as an event's id gives it."""
    return text.isascii() and text.isdecimal() and len(text) < 20
