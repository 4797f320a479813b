"""How long a stretch of town time takes: its calls, times the measured seconds of one.

The seconds of a call, as the doctor measured them, belong to a machine and a model, so they are
kept in the user's application folder, not in a settings file or a run.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from smolville.agents.errors import SmolvilleError
from smolville.agents.times import DAY_SECONDS
from smolville.lab.safe_files import written_whole

if TYPE_CHECKING:
    from smolville.models.chat import Chat

CALLS_A_DAY = {3: 47, 25: 87}
"""Calls of one agent on one day, by the size of the town, as counted with the stand-in
(docs/reference/benchmarks.md, "A day"); repairs come on top."""
CALLS_AT_DAWN = 3
"""Calls of an agent at the start of a day: identity, day plan, hours."""
BUSY_FROM, BUSY_TO = 6 * 3600, 20 * 3600
"""Seconds of the day between which people make the other calls."""
LEAST_CALLS = 5
"""Number of a run's own calls after which they tell how long a call takes."""


def calls_of_day(agents: int, start: int = 0, goal: int = DAY_SECONDS) -> float:
    """Return about how many calls agents make from one town second to another."""
    (few, least), (many, most) = CALLS_A_DAY.items()
    share = min(1.0, max(0.0, (agents - few) / (many - few)))
    by_day = least + share * (most - least) - CALLS_AT_DAWN
    dawns = max(0, -(-goal // DAY_SECONDS) - -(-start // DAY_SECONDS))
    days = max(0.0, _days_before(goal) - _days_before(start))
    return agents * (CALLS_AT_DAWN * dawns + by_day * days)


def _days_before(at: int) -> float:
    """Return how many days of calls lie before a town second, without those at dawn."""
    days, second = divmod(at, DAY_SECONDS)
    return days + min(1.0, max(0, second - BUSY_FROM) / (BUSY_TO - BUSY_FROM))


@dataclass
class Estimate:
    """Estimate of the calls made and the calls to come, between two moments of a run."""

    agents: int
    goal: int
    """Town second at which the stretch ends."""
    at: int = 0
    """Town second that the run has reached."""
    calls: int = 0
    paid: int = 0
    """Calls that really went to a model; the others were served from the journal."""
    open: int = 0
    """Calls pending at this moment, as far as known."""
    a_call: float | None = None
    """Seconds of a call as measured by the doctor; None if it was not measured."""
    shown: float = 0.0
    """The fraction last returned; it never decreases."""

    def count_call(self, served: bool) -> None:
        """Count a call."""
        self.calls += 1
        self.paid += not served

    def calls_left(self) -> float:
        """Return the estimated number of calls to come, without repairs."""
        return max(float(self.open), calls_of_day(self.agents, self.at, self.goal))

    def fraction(self) -> float:
        """Return the fraction of calls that are done, from 0 to 1; it never decreases."""
        if whole := self.calls + self.calls_left():
            self.shown = max(self.shown, self.calls / whole)
        return self.shown

    def seconds_left(self, elapsed: float) -> float | None:
        """Return the seconds left after `elapsed` seconds; None while they cannot be estimated."""
        a_call = elapsed / self.paid if self.paid >= LEAST_CALLS else self.a_call
        return None if a_call is None else self.calls_left() * a_call


def time_left(done: int, total: int, elapsed: float) -> str:
    """Return a phrase for the time left, when `done` of `total` equal parts took `elapsed` seconds.

    Empty before the first part is done.
    """
    return in_words((total - done) * elapsed / done) if 0 < done < total else ""


def in_words(seconds: float | None) -> str:
    """Return a phrase for the time left: `12 min left`; empty for None."""
    return "" if seconds is None else f"{span(seconds)} left"


def span(seconds: float) -> str:
    """Return a length of time in words: `under a minute`, `12 min`, `1 h 07 min`."""
    if seconds < 60:
        return "under a minute"
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes:02d} min" if hours < 10 else f"{hours} h"


def format_estimate(seconds: float) -> str:
    """Return an estimated length of time: `under a minute`, `about 12 min`."""
    return f"about {span(seconds)}" if seconds >= 60 else span(seconds)


def remember_seconds(spec: str, a_call: float | None) -> None:
    """Store a model's seconds per call; do nothing if the folder cannot be written to."""
    file = _file()
    if a_call is None:
        return
    with suppress(OSError, SmolvilleError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with written_whole(file) as draft:
            draft.write_text(json.dumps(_stored() | {spec: a_call}), encoding="utf-8")


def remembered_seconds(spec: str) -> float | None:
    """Return a model's seconds per call; None if they were never measured."""
    stored: Any = _stored().get(spec)
    return stored if isinstance(stored, float) and stored > 0 else None


def seconds_a_call(chats: "Sequence[Chat]") -> float | None:
    """Return how long a call takes on average, as the doctor measured the models on this machine.

    The stand-in takes no time. None if a model was never measured.
    """
    seconds = [_seconds(chat) for chat in chats]
    known = [each for each in seconds if each is not None]
    return sum(known) / len(known) if len(known) == len(seconds) else None


def _seconds(chat: "Chat") -> float | None:
    if chat.wants_inputs:
        return 0.0
    measured = [remembered_seconds(each.spec) for each in chat.servers or (chat,)]
    known = [each for each in measured if each is not None]
    return 1 / sum(1 / each for each in known) if len(known) == len(measured) else None


def _stored() -> dict[str, Any]:
    """Return the stored seconds by model spec; empty if they cannot be read."""
    try:
        stored = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}


def _file() -> Path:
    return Path(typer.get_app_dir("smolville")) / "seconds_a_call.json"
