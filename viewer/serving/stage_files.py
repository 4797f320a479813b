"""The stage's scripts and styles, asked about anew on every visit and fetched when they changed."""

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from fastapi.staticfiles import StaticFiles
from starlette.responses import Response

from viewer.frame import STAGE

_IMPORT = re.compile(r"""^\s*(?:import|export)\b[^"';]*["'](\.[^"']+\.js)["']""", re.M)


class StageFiles(StaticFiles):
    """Files that a browser may keep, but asks about before it uses them."""

    def file_response(self, *given: Any, **named: Any) -> Response:
        """Return a file; or 304 when the browser's own is the same."""
        response = super().file_response(*given, **named)
        response.headers["Cache-Control"] = "no-cache"
        return response


def stage_files() -> StageFiles:
    """Return what serves `/stage/`."""
    return StageFiles(directory=STAGE)


@cache
def modules_of(entry: str) -> tuple[str, ...]:
    """Return a stage module with all that it imports, so that a page asks for all at once."""
    seen: Mapping[str, None] = {}
    left = [entry]
    while left:
        name = left.pop(0)
        path = STAGE / name
        if name in seen or not path.is_file():
            continue
        seen = {**seen, name: None}
        here = os.path.dirname(name)  # noqa: PTH120 - an address, not a path of this machine
        found = _IMPORT.findall(path.read_text(encoding="utf-8"))
        left += [os.path.normpath(os.path.join(here, each)) for each in found]  # noqa: PTH118
    return tuple(seen)
