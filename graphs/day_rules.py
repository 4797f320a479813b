"""What code knows about a day before it is planned: its rules, agreements and weather."""

from dataclasses import dataclass

from agents.mind import Mind
from agents.plan import Spot
from agents.times import date_of, day_of
from agents.weather import day_in_words
from graphs.appointments import todays
from graphs.components import ENTITIES
from graphs.context import MindContext, Thinker
from graphs.frame.happenings import DatedEvent
from graphs.loop.rules import Anchors


@dataclass(frozen=True, kw_only=True)
class DayRules:
    """Rules by which code lays out a day."""

    anchors: Anchors = "on"
    """Which parts of the day code fixes."""
    is_english: bool = True
    """Whether code can read English words about the day; otherwise only the persona file's fields
    count."""
    usual: str = ""
    """The person's requirement for an ordinary day."""
    agreed: tuple[tuple[DatedEvent, Spot | None], ...] = ()
    """Today's appointments, each with its place if that is known."""


USUAL_RULES = DayRules()
"""The default rules: everything is fixed, and the words can be read."""


def day_rules(me: Thinker, context: MindContext, mind: Mind) -> DayRules:
    """Return the rules by which a person's day is laid out in this run."""
    return DayRules(
        anchors=context.client.rules.anchors,
        is_english=context.is_english,
        usual=me.persona.daily_requirement,
        agreed=todays(me, mind),
    )


def forecast(me: Thinker, context: MindContext) -> dict[str, str]:
    """Return the day's weather as an input field; empty in a run without weather."""
    if not me.has(ENTITIES):
        return {}
    day = date_of(me.surroundings.start_date, day_of(me.surroundings.at))
    return {"weather": day_in_words(context.client.seed, day)}
