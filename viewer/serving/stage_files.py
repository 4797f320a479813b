"""The stage's scripts and styles: kept in memory, and asked about anew on every visit.

There are many small modules, and a page is drawn when the last one is there: each is answered
without a thread and without reading it again.
"""

import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse

from viewer.frame import STAGE

KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""What may be asked for, and how it is called."""
_IMPORT = re.compile(r"""^\s*(?:import|export)\b[^"';]*["'](\.[^"']+\.js)["']""", re.M)


@dataclass(frozen=True)
class Kept:
    """A file as it was when it was last read."""

    changed: int
    body: bytes
    mark: str
    """What a browser shows again to ask whether its own is the same."""


def stage_files(root: Path = STAGE) -> Callable[[Request], Awaitable[Response]]:
    """Return what answers `/stage/PATH`."""
    kept: dict[str, Kept] = {}

    async def answer(request: Request) -> Response:
        name = request.path_params["path"]
        found = _found(root, name, kept)
        if found is None:
            return PlainTextResponse("There is no such file.", 404)
        headers = {"Cache-Control": "no-cache", "ETag": found.mark}
        if found.mark in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(found.body, media_type=KINDS[Path(name).suffix], headers=headers)

    return answer


def _found(root: Path, name: str, kept: dict[str, Kept]) -> Kept | None:
    """Return a file of the stage, read again where it has changed; None for anything else."""
    parts = name.split("/")
    if Path(name).suffix not in KINDS or any(part in ("", ".", "..") for part in parts):
        return None
    path = root.joinpath(*parts)
    try:
        changed = path.stat().st_mtime_ns
        if name not in kept or kept[name].changed != changed:
            body = path.read_bytes()
            mark = f'"{blake2b(body, digest_size=12).hexdigest()}"'
            kept[name] = Kept(changed, body, mark)
    except (OSError, ValueError):
        return None
    return kept[name]


@cache
def modules_of(entry: str) -> tuple[str, ...]:
    """Return a stage module with all that it imports, so that a page asks for all at once."""
    seen: dict[str, None] = {}
    left = [entry]
    while left:
        name = left.pop(0)
        path = STAGE / name
        if name in seen or not path.is_file():
            continue
        seen[name] = None
        here = os.path.dirname(name)  # noqa: PTH120 - an address, not a path of this machine
        found = _IMPORT.findall(path.read_text(encoding="utf-8"))
        left += [os.path.normpath(os.path.join(here, each)) for each in found]  # noqa: PTH118
    return tuple(seen)
