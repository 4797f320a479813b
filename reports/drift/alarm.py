"""A drift alarm: a sign that a run drifts, with the agents, the times and a sentence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from smolville.agents.action import Action
from smolville.agents.times import DAY_SECONDS, moment
from smolville.history.records import Deed

AlarmKind = Literal["phrases", "politeness", "activities", "stuck", "apart", "memories", "prompts"]
TITLES: Mapping[AlarmKind, str] = {
    "phrases": "the same words again and again",
    "politeness": "talks of nothing but pleasantries",
    "activities": "the same activities again and again",
    "stuck": "people who get nowhere",
    "apart": "people who are not where their plan has them",
    "memories": "memories that grow too fast",
    "prompts": "prompts that hardly fit the model's context",
}
"""What an alarm of each kind is about; alarms are listed in this order."""


@dataclass(frozen=True, kw_only=True)
class Alarm:
    """One sign of drift."""

    kind: AlarmKind
    who: tuple[str, ...]
    """The agents concerned; empty for the whole town."""
    count: int
    """Number of occurrences."""
    first: int
    """Town second of its first occurrence."""
    last: int
    """Town second of its last occurrence."""
    sentence: str
    """Who, when and how often, as a sentence."""

    def plain(self) -> dict[str, object]:
        """Return the alarm as plain data, with its moments in the form that operators type."""
        return {
            "kind": self.kind,
            "title": TITLES[self.kind],
            "who": list(self.who),
            "count": self.count,
            "first": moment(self.first),
            "last": moment(self.last),
            "sentence": self.sentence,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedAction:
    """An accepted action, and its actual end: the moment when the agent's next action begins."""

    action: Action
    end: int
    """Town second at which the action ended."""

    @property
    def seconds(self) -> int:
        """Actual length in seconds."""
        return self.end - self.action.start


def doings(deeds: Sequence[Deed]) -> Iterator[TimedAction]:
    """Yield one agent's accepted actions in order; each lasts until the next one begins."""
    done = [deed.action for deed in deeds if deed.outcome == "accepted"]
    for action, following in pairwise(done):
        yield TimedAction(action=action, end=min(action.end, following.start))
    if done:
        yield TimedAction(action=done[-1], end=done[-1].end)


def at_first(times: Sequence[int]) -> str:
    """Return when something first happened: `on day 1 at 12:32`.

    If it happened several times, the text begins with `first`.
    """
    day, clock = moment(min(times) - min(times) % 60).split()
    return f"{'first ' if len(times) > 1 else ''}on day {day} at {clock}"


def day_start(at: int) -> int:
    """Return the town second at which the day of `at` begins."""
    return at - at % DAY_SECONDS
