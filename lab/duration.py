"""Estimate how many calls a stretch of town time takes, and how long they take on this machine.

Progress is measured in calls still to come, not in town time: at night the town sleeps, and hours
without a call pass in an instant. A model's pace, as the doctor measured it, belongs to a machine
and a model, so it is kept in the user's application folder, not in a settings file or a run.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from smolville.agents.errors import SmolvilleError
from smolville.agents.memory import is_own_thought
from smolville.agents.times import DAY_SECONDS
from smolville.lab.doctor.estimate import Pace, calls_an_agent_day, pace_of
from smolville.lab.safe_files import written_whole

if TYPE_CHECKING:
    from smolville.lab.doctor.findings import Findings
    from smolville.models.chat import Chat

BUSY_FROM, MORNING_TO, BUSY_TO = 6 * 3600, 10 * 3600, 20 * 3600
"""Seconds of the day between which people think. Until `MORNING_TO`, when most people meet and plan
their hours, they think twice as often as later, as measured in seven recorded days of three
models."""
CALLS_AT_DAWN = 3.0
"""Calls of an agent at the start of a day: identity, day plan, hours."""
PRIOR_HOURS = 2.0
"""Weight of the estimate made in advance: it counts as much as this many observed hours of one
agent."""
PRIOR_CALLS = 5
"""Weight of the pace measured by the doctor: it counts as much as this many observed calls."""
LEAST_CALLS = 3
"""Number of calls after which a time is estimated, if the doctor has not measured the pace."""


def calls_an_hour(agents: int) -> float:
    """Return how many calls per busy hour each agent makes in a town of this many agents."""
    a_day = calls_an_agent_day(agents) - CALLS_AT_DAWN
    return a_day * 3600 / _busy_before(DAY_SECONDS)


def calls_for_whispers(whispers: Iterable[str]) -> int:
    """Return how many whispers need a model call."""
    return sum(not is_own_thought(text) for text in whispers)


def busy_seconds(start: int, end: int) -> int:
    """Return the number of busy town seconds from `start` to `end`; morning seconds count twice."""
    return _busy_before(end) - _busy_before(start) if end > start else 0


def midnights(start: int, end: int) -> int:
    """Return how many days begin at or after town second `start` and before `end`."""
    return max(0, -(-end // DAY_SECONDS) - -(-start // DAY_SECONDS))


def _busy_before(at: int) -> int:
    days, second = divmod(at, DAY_SECONDS)
    morning = min(second, MORNING_TO) - BUSY_FROM
    busy = max(0, morning) + max(0, min(second, BUSY_TO) - BUSY_FROM)
    return days * (MORNING_TO + BUSY_TO - 2 * BUSY_FROM) + busy


@dataclass
class Estimate:
    """Estimate of the calls made and the calls to come, between two moments of a run."""

    agents: int
    start: int
    """Town second at which the stretch begins."""
    goal: int
    extra: int = 0
    """Calls known to come first, for whispers that a model has to reword and for other requests."""
    at: int = 0
    """Town second that the run has reached."""
    calls: int = 0
    steps: int = 0
    """First attempts among the calls; the others are repairs."""
    open: int = 0
    """Calls pending at this moment, as far as known."""
    paid: int = 0
    """Calls that really went to a model; the others were served from the journal."""
    steps_before: int = 0
    """First attempts made before the current tick began."""
    a_call: float | None = None
    """Seconds per call as measured by the doctor; None if it was not measured."""
    shown: float = 0.0
    """The fraction last returned; it never decreases."""

    def count_call(self, served: bool, *, is_repair: bool = False) -> None:
        """Count a call."""
        self.calls += 1
        self.steps += not is_repair
        self.paid += not served

    def note_time(self, at: int) -> None:
        """Note that everything before town second `at` is done."""
        self.at = at
        self.steps_before = self.steps

    def calls_left(self) -> float:
        """Return the estimated number of calls to come, if repairs continue at the same rate."""
        at = max(self.start, self.at)
        made = self.steps - self.steps_before
        dawns = CALLS_AT_DAWN * self.agents * midnights(at, self.goal)
        if at == self.start:
            dawns += self.extra
        lived = self.agents * busy_seconds(self.start, at) / 3600
        known = calls_an_hour(self.agents) * PRIOR_HOURS + (self.steps_before if lived else 0)
        an_hour = known / (PRIOR_HOURS + lived)
        awake = an_hour * self.agents * busy_seconds(at, self.goal) / 3600
        a_step = self.calls / self.steps if self.steps else 1.0
        return max(float(self.open), (dawns + awake - made) * a_step)

    def fraction(self) -> float:
        """Return the fraction of calls that are done, from 0 to 1; it never decreases."""
        left = self.calls_left()
        if self.calls + left > 0:
            self.shown = max(self.shown, self.calls / (self.calls + left))
        return min(1.0, self.shown)

    def seconds_left(self, elapsed: float) -> float | None:
        """Return the seconds left after `elapsed` seconds; None while they cannot be estimated.

        Before any call was made, the estimate uses the pace measured by the doctor. While a call is
        pending, the estimate grows.
        """
        if self.a_call is None:
            return self.calls_left() * elapsed / self.paid if self.paid >= LEAST_CALLS else None
        spent = elapsed + PRIOR_CALLS * self.a_call
        return self.calls_left() * spent / (self.paid + PRIOR_CALLS)


def calls_of_days(people: Sequence[str], goal: int, history: Mapping[str, Sequence[str]]) -> float:
    """Return the estimated number of calls from the beginning of a run to its goal.

    `history` holds, by person, whispers about that person's past, which are heard before all else.
    """
    whispers = (text for name in people for text in history.get(name, ()))
    extra = calls_for_whispers(whispers)
    return Estimate(agents=len(people), start=0, goal=goal, extra=extra).calls_left()


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
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours < 10 else f"{hours} h"


def format_estimate(seconds: float) -> str:
    """Return an estimated length of time: `under a minute`, `about 12 min`."""
    return f"about {span(seconds)}" if seconds >= 60 else span(seconds)


def remember_pace(spec: str, pace: Pace) -> None:
    """Store a model's pace; do nothing if the folder cannot be written to."""
    file = _file()
    with suppress(OSError, SmolvilleError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with written_whole(file) as draft:
            draft.write_text(json.dumps(_read_paces() | {spec: asdict(pace)}), encoding="utf-8")


def remember_findings(found: "Findings") -> None:
    """Store the pace of an examined model if its speed was measured."""
    pace = pace_of(found.context, found.speed, found.model.slots)
    if pace is not None:
        remember_pace(found.model.spec, pace)


def remembered_pace(spec: str) -> Pace | None:
    """Return a model's pace; None if none was measured or the stored one is damaged."""
    stored: Any = _read_paces().get(spec)
    try:
        pace = Pace(**{name: float(value) for name, value in stored.items()})
    except (AttributeError, TypeError, ValueError):
        return None
    is_sound = pace.reading > 0 and pace.writing > 0 and 0 <= pace.cached <= 1
    return pace if is_sound else None


def seconds_a_call(chats: "Sequence[Chat]") -> float | None:
    """Return how long a call takes on average, as the doctor measured the models on this machine.

    The stand-in takes no time. None if a model was never measured.
    """
    seconds = [_seconds(chat) for chat in chats]
    known = [each for each in seconds if each is not None]
    return sum(known) / len(known) if len(known) == len(seconds) else None


def _seconds(chat: "Chat") -> float | None:
    """Return how many seconds a call takes; None if a server was never measured.

    Several servers share the calls, so their rates are added.
    """
    if chat.wants_inputs:
        return 0.0
    paces = [remembered_pace(each.spec) for each in chat.servers or (chat,)]
    known = [pace.a_call for pace in paces if pace is not None and pace.a_call > 0]
    return 1 / sum(1 / each for each in known) if len(known) == len(paces) else None


def _read_paces() -> dict[str, Any]:
    """Return the stored paces by model spec; empty if they cannot be read."""
    try:
        paces = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return paces if isinstance(paces, dict) else {}


def _file() -> Path:
    return Path(typer.get_app_dir("smolville")) / "paces.json"
