"""Store how fast models work on this machine, as measured by the doctor, for later runs.

A pace belongs to a machine and a model, so it is kept in the user's application folder, not in a
settings file or a run.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from agents.errors import SmolvilleError
from lab.doctor.estimate import Pace
from lab.whole_file import written_whole

if TYPE_CHECKING:
    from models.chat import Chat


def remember_pace(spec: str, pace: Pace) -> None:
    """Store a model's pace; do nothing if the folder cannot be written to."""
    file = _file()
    with suppress(OSError, SmolvilleError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with written_whole(file) as draft:
            draft.write_text(json.dumps(_all() | {spec: asdict(pace)}), encoding="utf-8")


def remembered_pace(spec: str) -> Pace | None:
    """Return a model's pace; None if none was measured or the stored one is damaged."""
    told: Any = _all().get(spec)
    try:
        pace = Pace(**{name: float(value) for name, value in told.items()})
    except (AttributeError, TypeError, ValueError):
        return None
    is_sound = pace.reading > 0 and pace.writing > 0 and 0 <= pace.cached <= 1
    return pace if is_sound else None


def seconds_a_call(chats: "Sequence[Chat]") -> float | None:
    """Return how long a call takes on average, as the doctor measured the models on this machine.

    The stand-in takes no time. None where a model was never measured.
    """
    seconds = [_seconds(chat) for chat in chats]
    known = [each for each in seconds if each is not None]
    return sum(known) / len(known) if len(known) == len(seconds) else None


def _seconds(chat: "Chat") -> float | None:
    if chat.wants_inputs:
        return 0.0
    pace = remembered_pace(chat.spec)
    return None if pace is None else pace.a_call


def _all() -> dict[str, Any]:
    """Return the stored paces by model spec; empty if they cannot be read."""
    try:
        told = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _file() -> Path:
    return Path(typer.get_app_dir("smolville")) / "paces.json"
