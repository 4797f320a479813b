"""The replay's addresses below `/replay/NAME/`: three kinds of JSON, `live`, and `export.html`."""

from collections.abc import AsyncGenerator, Callable
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

from fastapi import FastAPI, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from smolville.agents.errors import SmolvilleError
from smolville.history.folder import owner_of
from smolville.viewer.config import AppConfig
from smolville.viewer.playback.replay_json import compressed, plain_json
from smolville.viewer.serving.children import children_of

if TYPE_CHECKING:
    from smolville.viewer.playback.live import WatchedRuns
    from smolville.viewer.playback.reader import ReplayReader
    from smolville.viewer.playback.towns import Towns

MOST_TICKS = 1 << 53
"""Largest tick number; browsers represent integers exactly only up to this value."""

Since = Annotated[int, Query(ge=-1, le=MOST_TICKS)]
"""The last tick that the client has; -1 for none."""
SMALL = 1000
"""Size in bytes below which compression is not worthwhile."""
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


class ReplaySources:
    """The towns already drawn and the runs being watched, both created at the first request."""

    def __init__(self, towns: "Towns | None" = None) -> None:
        self._given = towns

    @cached_property
    def towns(self) -> "Towns":
        """The towns that have been drawn."""
        from smolville.viewer.playback.towns import Towns

        return self._given or Towns()

    @cached_property
    def watches(self) -> "WatchedRuns":
        """The runs that are being watched."""
        from smolville.viewer.playback.live import WatchedRuns

        return WatchedRuns(self.towns)


def add(app: FastAPI, config: AppConfig, towns: "Towns | None" = None) -> ReplaySources:
    """Add the replay's routes, and return the sources that they read.

    Each request is answered in a thread of its own, except `live`.
    """
    sources = ReplaySources(towns)
    _add_live(app, config, sources)

    def read_head(reader: "ReplayReader") -> dict[str, Any]:
        child = children_of(config).of(reader.folder.name)
        is_starting = child is not None and owner_of(reader.folder) is None
        return {**reader.head(), "starting": is_starting}

    @app.get("/replay/{name}/head.json")
    def head(request: Request, name: str) -> Response:
        early = _read_early(config, request, name, "head")
        return early or _answer(config, sources, request, name, read_head)

    @app.get("/replay/{name}/tracks.json")
    def tracks(request: Request, name: str, since: Since = -1) -> Response:
        early = _read_early(config, request, name, "tracks") if since < 0 else None
        return early or _answer(config, sources, request, name, lambda reader: reader.tracks(since))

    @app.get("/replay/{name}/person/{n}.json")
    def person(request: Request, name: str, n: int) -> Response:
        return _answer(config, sources, request, name, lambda reader: reader.person(n))

    @app.get("/replay/{name}/export.html")
    def export(request: Request, name: str) -> Response:
        return _export(config, request, name)

    return sources


def _read_early(config: AppConfig, request: Request, name: str, part: str) -> Response | None:
    """Return a part of a replay that was read while the app started; None if it was not read."""
    if config.early is None or not _takes_gzip(request):
        return None
    body = config.early.take(name, part)
    return _compressed_reply(body) if body else None


def _add_live(app: FastAPI, config: AppConfig, sources: ReplaySources) -> None:
    """Add the route for watching a run."""

    @app.get("/replay/{name}/live")
    async def live(
        request: Request,
        name: str,
        since: Since = -1,
        last_event_id: Annotated[str, Header()] = "",
    ) -> Response:
        try:
            folder = config.folder(name)
        except SmolvilleError as error:
            return _unknown(config, request, name, error)
        known = min(int(last_event_id), MOST_TICKS) if _is_tick(last_event_id) else since
        return EventStream(sources.watches.follow(folder, known))


def _answer(
    config: AppConfig,
    sources: ReplaySources,
    request: Request,
    name: str,
    read: "Callable[[ReplayReader], Any]",
) -> Response:
    """Return the response with part of a run's replay, or with an error."""
    from smolville.viewer.playback.damaged_history import sentence
    from smolville.viewer.playback.reader import ReplayReader

    try:
        folder = config.folder(name)
    except SmolvilleError as error:
        return _unknown(config, request, name, error)
    try:
        with ReplayReader(folder, sources.towns) as reader:
            return _json_reply(request, read(reader))
    except SmolvilleError as error:
        return _refusal(request, 409, sentence(error, folder))
    except LookupError:
        return _refusal(request, 404, f"Nobody in the run {name!r} has this number.")


def _export(config: AppConfig, request: Request, name: str) -> Response:
    """Return a run as one HTML file for keeping, or an error."""
    from smolville.viewer.export import content_of, replay_of

    try:
        folder = config.folder(name)
    except SmolvilleError as error:
        return _unknown(config, request, name, error)
    try:
        content = content_of(folder, replay_of(folder))
    except SmolvilleError as error:
        return _refusal(request, 409, str(error))
    kept = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(folder.name)}.html"}
    return Response(content, 200, {**HEADERS, **kept}, "text/html")


def _unknown(config: AppConfig, request: Request, name: str, error: SmolvilleError) -> Response:
    """Return the error that a run does not exist, or that its description is invalid."""
    if name in config.names():
        return _refusal(request, 409, str(error).replace(str(config.runs), config.runs.name))
    known = ", ".join(config.names()) or "none yet"
    return _refusal(request, 404, f"There is no run {name!r} here. There are: {known}.")


def _is_tick(text: str) -> bool:
    """Return whether a text is a tick, as in an event's id."""
    return text.isascii() and text.isdecimal() and len(text) < 20


def _json_reply(request: Request, found: Any, status: int = 200) -> Response:
    """Return a JSON response, compressed if the client accepts it."""
    body = plain_json(found)
    if len(body) >= SMALL and _takes_gzip(request):
        return _compressed_reply(compressed(body), status)
    return Response(body, status, HEADERS, "application/json")


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def _compressed_reply(body: bytes, status: int = 200) -> Response:
    return Response(body, status, {**HEADERS, "Content-Encoding": "gzip"}, "application/json")


def _refusal(request: Request, status: int, sentence: str) -> Response:
    """Return an error response: `{"detail": "a sentence"}`."""
    return _json_reply(request, {"detail": sentence}, status)
