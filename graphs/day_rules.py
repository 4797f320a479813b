"""The rules by which code plans a day: fixed times, times read from texts, appointments."""

from dataclasses import dataclass

from agents.mind import Mind
from agents.plan import Spot
from graphs.appointments import todays
from graphs.context import MindContext, Thinker
from graphs.frame.happenings import DatedEvent
from graphs.loop.rules import Anchors


@dataclass(frozen=True, kw_only=True)
class DayRules:
    """How code lays out a day."""

    anchors: Anchors = "on"
    """Which parts of it are fixed."""
    is_english: bool = True
    """Whether code can read the words about it; otherwise only the persona's fields count."""
    usual: str = ""
    """What any day must hold."""
    agreed: tuple[tuple[DatedEvent, Spot | None], ...] = ()
    """Today's appointments, each with its place if that is known."""


USUAL_RULES = DayRules()
"""Everything fixed, and words that can be read."""


def day_rules(me: Thinker, context: MindContext, mind: Mind) -> DayRules:
    """Return how somebody's day is laid out in this run."""
    return DayRules(
        anchors=context.client.rules.anchors,
        is_english=context.is_english,
        usual=me.persona.daily_requirement,
        agreed=todays(me, mind),
    )
