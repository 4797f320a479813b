"""Writes a run's whole replay with the stage as one HTML page, which makes no network requests."""

import gzip
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from smolville.agents.errors import RunError
from smolville.agents.times import moment
from smolville.history.folder import RunFolder
from smolville.history.schema import reading
from smolville.lab.safe_files import check_free, written_whole
from smolville.viewer.bundle import SHEETS, STAGE, TOWN, bundle
from smolville.viewer.playback.reader import ReplayReader

if TYPE_CHECKING:
    from rich.console import RenderableType


Json = dict[str, Any]
ENTRY = "from_file.js"
_POLICY = (
    "default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Smolville">
<title>{title}</title>
<style>
{styles}
</style>
</head>
<body>
<div id="stage">
<noscript><p class="opening">This page plays a town, and needs scripts to do so: allow them for this
file in your browser, and load it again. It asks nobody for anything.</p></noscript>
</div>
<script type="application/json" id="replay">{replay}</script>
<script type="module">{script}</script>
</body>
</html>
"""


@dataclass(frozen=True, kw_only=True)
class ExportedPage:
    """The result of an export."""

    path: Path
    bytes: int
    people: int
    until: int
    """Town second up to which the page plays."""
    faults: tuple[str, ...]
    """What is wrong with the run's town, in sentences."""

    def plain(self) -> object:
        """Return plain data: where, how large, how many people, until when, and the faults."""
        return {
            "where": str(self.path),
            "bytes": self.bytes,
            "people": self.people,
            "until": moment(self.until),
            "faults": list(self.faults),
        }

    def render(self) -> "RenderableType":
        """Return a sentence about the page, and one sentence for each fault."""
        from smolville.lab.styled import Text

        count = "1 person" if self.people == 1 else f"{self.people} people"
        size = f"{self.bytes / 1_000_000:.1f} MB"
        told = f"Written to {self.path}: {count} up to {moment(self.until)}, {size}."
        return Text("\n".join([told, *self.faults]))


def take(folder: RunFolder, path: Path, *, overwrite: bool = False) -> ExportedPage:
    """Write a run as one page.

    Raises RunError if nothing has happened in the run yet, SettingError if the file exists and
    `overwrite` is false, and SmolvilleError if the file cannot be written.
    """
    check_free(path, overwrite=overwrite)
    replay = replay_of(folder)
    head = replay["head"]
    with reading(folder):
        content = content_of(replay)
    with written_whole(path) as draft:
        draft.write_bytes(content)
    return ExportedPage(
        path=path,
        bytes=len(content),
        people=len(replay["people"]),
        until=(head["until"] + 1) * head["tick"],
        faults=tuple(head["faults"]),
    )


def content_of(replay: Json) -> bytes:
    """Return the page of a run's whole replay as the bytes of a file."""
    head = replay["head"]
    return page(replay, f"{head['run']} · {head['town']}").encode("utf-8", errors="replace")


def replay_of(folder: RunFolder) -> Json:
    """Return a run's whole replay up to the last complete tick: {"head", "tracks", "people"}."""
    never = f"The run {folder.name!r} has not started: smolville run {folder.name} --resume"
    if not folder.has_history:
        raise RunError(never)
    with ReplayReader(folder) as reader:
        head = reader.head()
        until = head["until"]
        if until < 0:
            raise RunError(never)
        tracks = reader.tracks(-1, until)
        people = [reader.person(n) for n in range(len(head["people"]))]
    # The page gets no updates, so a run that is still in progress is shown as paused.
    state = "finished" if head["state"] == "finished" else "paused"
    head["state"] = tracks["state"] = state
    head["waiting"] = []
    return {"head": head, "tracks": tracks, "people": people}


def page(replay: Mapping[str, Any], title: str) -> str:
    """Return the page of a replay {"head", "tracks", "people"}; equal replays give equal pages.

    Its content security policy allows this script and embedded content only. The replay is gzipped
    JSON in base64, so that no text in it can close its element.
    """
    script = "\n" + bundle(STAGE, ENTRY) + "\n"
    digest = b64encode(sha256(script.encode()).digest()).decode()
    sheets = ((SHEETS / f"{name}.css").read_text(encoding="utf-8").rstrip() for name in TOWN)
    return _PAGE.format(
        policy=escape(_POLICY.format(digest=digest)),
        title=escape(title),
        styles="\n".join(sheets),
        replay=b64encode(gzip.compress(orjson.dumps(replay), mtime=0)).decode(),
        script=script,
    )
