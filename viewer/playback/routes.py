"""The replay's addresses below `/replay/NAME/`: three kinds of JSON, `live`, and `export.html`."""

import gzip
from collections.abc import AsyncGenerator, Callable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import orjson
from fastapi import FastAPI, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from smolville.agents.errors import SmolvilleError
from smolville.history.folder import owner_of
from smolville.viewer.config import AppConfig
from smolville.viewer.serving.children import children_of

if TYPE_CHECKING:
    from smolville.viewer.playback.reader import ReplayReader
    from smolville.viewer.playback.towns import Towns

MOST_TICKS = 1 << 53
"""Largest tick number; browsers represent integers exactly only up to this value."""
Since = Annotated[int, Query(ge=-1, le=MOST_TICKS)]
"""The last tick that the client has; -1 for none."""
SMALL = 1000
"""Size in bytes below which compression is not worthwhile."""
LEVEL = 4
HEADERS = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
"""Headers that forbid storing a response.

When a user goes back, a browser shows what it stored, even if `no-cache` forbids that otherwise;
but the run may have advanced since then.
"""


class EventStream(StreamingResponse):
    """A response of Server-Sent Events, sent without delay; its generator is closed at the end."""

    def __init__(self, messages: AsyncGenerator[bytes, None]) -> None:
        self._messages = messages
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(messages, media_type="text/event-stream", headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until one side ends the connection."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._messages.aclose()


@cache
def drawn_towns() -> "Towns":
    """Return the towns that have been drawn; reading them is imported with the first request."""
    from smolville.viewer.playback.towns import Towns

    return Towns()


def add(app: FastAPI, config: AppConfig) -> None:
    """Add the replay's routes; each request is answered in a thread of its own, except `live`."""
    app.add_exception_handler(SmolvilleError, _refuse)

    def answer(request: Request, name: str, read: "Callable[[ReplayReader], Any]") -> Response:
        from smolville.viewer.playback.reader import ReplayReader

        with ReplayReader(config.folder(name), drawn_towns()) as reader:
            return _json_reply(request, read(reader))

    def read_head(reader: "ReplayReader") -> dict[str, Any]:
        child = children_of(config).of(reader.folder.name)
        is_starting = child is not None and owner_of(reader.folder) is None
        return {**reader.head(), "starting": is_starting}

    @app.get("/replay/{name}/head.json")
    def head(request: Request, name: str) -> Response:
        return answer(request, name, read_head)

    @app.get("/replay/{name}/tracks.json")
    def tracks(request: Request, name: str, since: Since = -1) -> Response:
        return answer(request, name, lambda reader: reader.tracks(since))

    @app.get("/replay/{name}/person/{n}.json")
    def person(request: Request, name: str, n: int) -> Response:
        return answer(request, name, lambda reader: reader.person(n))

    @app.get("/replay/{name}/export.html")
    def export(name: str) -> Response:
        """Return a run as one HTML file for keeping."""
        from smolville.history.schema import reading
        from smolville.viewer.export import content_of, replay_of

        folder = config.folder(name)
        with reading(folder):
            content = content_of(replay_of(folder))
        kept = f"attachment; filename*=UTF-8''{quote(folder.name)}.html"
        return Response(content, 200, {**HEADERS, "Content-Disposition": kept}, "text/html")

    @app.get("/replay/{name}/live")
    async def live(
        name: str, since: Since = -1, last_event_id: Annotated[str, Header()] = ""
    ) -> Response:
        from smolville.viewer.playback.live import follow

        is_tick = last_event_id.isascii() and last_event_id.isdecimal() and len(last_event_id) < 20
        known = min(int(last_event_id), MOST_TICKS) if is_tick else since
        return EventStream(follow(config.folder(name), drawn_towns(), known))


async def _refuse(request: Request, error: Exception) -> Response:
    return _json_reply(request, {"detail": str(error)}, 404)


def _json_reply(request: Request, found: Any, status: int = 200) -> Response:
    body, headers = orjson.dumps(found), HEADERS
    if len(body) >= SMALL and "gzip" in request.headers.get("accept-encoding", ""):
        body, headers = gzip.compress(body, LEVEL), {**HEADERS, "Content-Encoding": "gzip"}
    return Response(body, status, headers, "application/json")
