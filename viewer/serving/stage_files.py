"""Serves the stage's scripts and styles; browsers revalidate them on every visit.

The stage has many small modules, and a page is drawn only after the last module has arrived. A page
therefore requests a bundle of all modules, `/stage/whole/served.js`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse

from smolville.viewer.bundle import STAGE, bundle

KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Content types by file ending; other files are not served."""
WHOLE = "whole/"
"""Prefix of the name of a module that is requested together with everything it imports."""


def stage_files(root: Path = STAGE) -> Callable[[Request], Awaitable[Response]]:
    """Return the handler for `/stage/PATH`."""

    async def answer(request: Request) -> Response:
        name = request.path_params["path"]
        try:
            body = await asyncio.to_thread(_read, root, name)
        except (OSError, ValueError):
            return PlainTextResponse("There is no such file.", 404)
        mark = f'"{blake2b(body, digest_size=12).hexdigest()}"'
        headers = {"Cache-Control": "no-cache", "ETag": mark}
        if mark in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(body, media_type=KINDS[Path(name).suffix], headers=headers)

    return answer


def _read(root: Path, name: str) -> bytes:
    """Return a file of the stage, or a bundle; raises OSError or ValueError for anything else."""
    plain = name.removeprefix(WHOLE)
    parts = plain.split("/")
    if Path(plain).suffix not in KINDS or any(part in ("", ".", "..") for part in parts):
        raise ValueError(name)
    body = root.joinpath(*parts).read_bytes()
    return body if plain == name else _bundle_script(root, plain).encode()


def _bundle_script(root: Path, entry: str) -> str:
    """Return a module and its imports as one script, in which the module may use `await`."""
    before, head, own = bundle(root, entry).rpartition(f"// {entry}\n")
    return before + head + own.replace("(() => {", "await (async () => {", 1)
