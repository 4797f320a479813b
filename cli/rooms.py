"""Notices that a room of the house was imported from elsewhere, before anything else goes wrong."""

import sys
from importlib.util import find_spec
from pathlib import Path

ROOMS = ("agents", "prompts", "parsers", "models", "graphs", "world", "lab", "viewer", "towns")
"""Every room but this one, from whose place the house is known."""


def foreign_room(house: Path | None = None) -> str:
    """Return a sentence about the first room outside of the house; empty when all is well.

    Plain names serve an application that runs in an environment of its own; beside another package
    called `agents` or `models`, whichever comes first on the path would be imported.
    """
    house = house or Path(__file__).resolve().parent.parent
    for room in ROOMS:
        found = _folder(room)
        if found is None:
            return (
                f"Smolville's room {room!r} cannot be found beside {str(house / 'cli')!r}; "
                "install smolville again."
            )
        if found.parent != house:
            return (
                f"Another package called {room!r} is imported from {str(found)!r} instead of "
                f"Smolville's own in {str(house)!r}; run Smolville in an environment of its own, "
                "for example with `uv run smolville`."
            )
    return ""


def _folder(room: str) -> Path | None:
    """Return the folder from which a room is, or would be, imported."""
    loaded = sys.modules.get(room)
    spec = loaded.__spec__ if loaded is not None else find_spec(room)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).resolve().parent
