"""Serves the stage's scripts and styles from memory; browsers revalidate them on every visit.

The stage has many small modules, and a page is drawn only after the last module has arrived. A page
therefore requests a bundle of all modules, `/stage/whole/served.js`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse

from smolville.agents.errors import InternalError
from smolville.viewer.bundle import bundle, in_order
from smolville.viewer.styles import STAGE

KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Content types by file ending; other files are not served."""
WHOLE = "whole/"
"""Prefix of the name of a module that is requested together with everything it imports."""


@dataclass(frozen=True)
class CachedFile:
    """A file's content, as read last."""

    changed: int
    body: bytes
    mark: str
    """The ETag, which a browser sends back to check whether its copy is current."""


def stage_files(root: Path = STAGE) -> Callable[[Request], Awaitable[Response]]:
    """Return the handler for `/stage/PATH`."""
    kept: dict[str, CachedFile] = {}

    async def answer(request: Request) -> Response:
        name = request.path_params["path"]
        is_whole = name.startswith(WHOLE)
        found = (_find_bundle if is_whole else _find_file)(root, name.removeprefix(WHOLE), kept)
        if found is None:
            return PlainTextResponse("There is no such file.", 404)
        headers = {"Cache-Control": "no-cache", "ETag": found.mark}
        if found.mark in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(found.body, media_type=KINDS[Path(name).suffix], headers=headers)

    return answer


def _find_file(root: Path, name: str, kept: dict[str, CachedFile]) -> CachedFile | None:
    """Return a file of the stage, read again if it changed; None for anything else."""
    parts = name.split("/")
    if Path(name).suffix not in KINDS or any(part in ("", ".", "..") for part in parts):
        return None
    path = root.joinpath(*parts)
    try:
        changed = path.stat().st_mtime_ns
        if name not in kept or kept[name].changed != changed:
            kept[name] = _make_cached_file(changed, path.read_bytes())
    except (OSError, ValueError):
        return None
    return kept[name]


def _find_bundle(root: Path, entry: str, kept: dict[str, CachedFile]) -> CachedFile | None:
    """Return a module bundled with everything it imports, rebuilt when one of the files changed."""
    if _find_file(root, entry, kept) is None:
        return None
    try:
        modules = in_order(root, entry)
        changed = max((root / name).stat().st_mtime_ns for name in modules)
        known = kept.get(WHOLE + entry)
        if known is None or known.changed != changed:
            kept[WHOLE + entry] = known = _make_cached_file(
                changed, _bundle_script(root, entry).encode()
            )
    except (InternalError, OSError):
        # Loading the modules one by one takes longer, but works.
        return _make_cached_file(0, f'import "/stage/{entry}";'.encode())
    return known


def _bundle_script(root: Path, entry: str) -> str:
    """Return a module and its imports as one script, in which the module may use `await`."""
    before, head, own = bundle(root, entry).rpartition(f"// {entry}\n")
    return before + head + own.replace("(() => {", "await (async () => {", 1)


def _make_cached_file(changed: int, body: bytes) -> CachedFile:
    return CachedFile(changed, body, f'"{blake2b(body, digest_size=12).hexdigest()}"')
