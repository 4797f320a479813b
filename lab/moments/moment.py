"""A moment: a recorded use of a step in a run, with everything needed to ask it again.

It converts to plain data and back without loss, for files and datasets.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from hashlib import blake2b
from typing import Any

import orjson
from pydantic import TypeAdapter

from smolville.agents.times import moment as town_time
from smolville.graphs.loop.ledger import StepOutcome, StepRecord
from smolville.history.records import RecordedAttempt
from smolville.prompts.folder import Texts

DIGITS = 8
"""Number of hex digits in a moment's id, after the name of its run."""


def moment_digits(owner: str, tick: int, step: str, ordinal: int) -> str:
    """Return the digits that identify a use of a step within its run."""
    key = "\0".join((owner, str(tick), step, str(ordinal)))
    return blake2b(key.encode(), digest_size=DIGITS // 2).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A recorded use of a step."""

    run: str
    """The run's name."""
    seed: int
    """The run's seed; the calls' seeds are derived from it."""
    at: int
    """Town second of the thought or talk."""
    record: StepRecord
    """The outcome; its answer is the accepted one, or the fallback."""
    attempts: tuple[RecordedAttempt, ...]
    """Its calls, at least one. The first call holds the inputs, the recalled memories and the
    messages."""
    memories: Mapping[str, str] = field(default_factory=dict)
    """Texts of the memories recalled for it, by memory id."""
    templates: Mapping[str, str] = field(default_factory=dict)
    """The text of each template file that was used, by file name; empty if they are unknown."""

    @property
    def id(self) -> str:
        """The run's name and eight hex digits: `clumsy/3f9a1c2e`."""
        key = self.record
        return f"{self.run}/{moment_digits(key.owner, key.tick, key.step, key.ordinal)}"

    @property
    def step(self) -> str:
        """The step's name."""
        return self.record.step

    @property
    def agent(self) -> str:
        """The agent whose mind asked the question."""
        return self.record.agent

    @property
    def time(self) -> str:
        """The town time, `1 07:40`."""
        return town_time(self.at)

    @property
    def outcome(self) -> StepOutcome:
        """The outcome of the step."""
        return self.record.outcome

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """The inputs of the step as plain data, taken from the record of its first call."""
        data: dict[str, Any] = orjson.loads(self.attempts[0].call.inputs)
        return data

    @cached_property
    def answer(self) -> dict[str, Any]:
        """The accepted (or fallback) answer as plain data."""
        data: dict[str, Any] = orjson.loads(self.record.answer)
        return data


Plain = dict[str, Any]


def plain(moment: Moment) -> Plain:
    """Return a moment as JSON-compatible data, without its templates.

    The first fields (id, step, agent, time, outcome) are there for people and `jq`. They are not
    used when the moment is read back: they follow from the other fields.
    """
    return {
        "id": moment.id,
        "step": moment.step,
        "agent": moment.agent,
        "time": moment.time,
        "outcome": moment.outcome,
        "run": moment.run,
        "seed": moment.seed,
        "at": moment.at,
        "record": asdict(moment.record),
        "attempts": [asdict(attempt) for attempt in moment.attempts],
        "memories": dict(moment.memories),
    }


def read_plain(data: Mapping[str, Any], templates: Texts) -> Moment:
    """Return the moment from data made by `plain`; ValueError or KeyError when it is damaged."""
    names = ("run", "seed", "at", "record", "attempts", "memories")
    found = _moments().validate_python({name: data[name] for name in names})
    if not found.attempts:
        raise ValueError("a moment has at least one call")
    return replace(found, templates=templates)


@cache
def _moments() -> TypeAdapter[Moment]:
    return TypeAdapter(Moment)
