"""The rules by which code plans a day: fixed times, times read from texts, appointments."""

from dataclasses import dataclass

from agents.chance import pick
from agents.mind import Mind
from agents.places import sector_of
from agents.plan import Spot
from agents.times import day_of
from graphs.activities.kinds import kind, thing_of
from graphs.appointments import todays
from graphs.context import MindContext, Thinker
from graphs.frame.happenings import DatedEvent
from graphs.loop.rules import Anchors
from models.standin.words import stems

_GOING_OUT = ("walk", "exercise", "friends")
"""Kinds of free time for which somebody must know a place where they suit."""
_SHOPS = stems("hardware bakery bookshop")
"""Words of shops, whose names may speak of a garden or a cafe where nobody walks or sits."""
_SCREEN, _SHOPPING = "television", "shopping"


@dataclass(frozen=True, kw_only=True)
class DayRules:
    """Rules by which code lays out a day."""

    anchors: Anchors = "on"
    """The parts of the day that are fixed."""
    is_english: bool = True
    """Whether code can read the words about it; otherwise only the persona's fields count."""
    usual: str = ""
    """The requirement of any day."""
    agreed: tuple[tuple[DatedEvent, Spot | None], ...] = ()
    """Today's appointments, each with its place if that is known."""
    out_of_reach: frozenset[str] = frozenset()
    """Kinds of free time for which somebody knows no place."""


USUAL_RULES = DayRules()
"""Everything fixed, and words that can be read."""


def day_rules(me: Thinker, context: MindContext, mind: Mind) -> DayRules:
    """Return the rules by which a person's day is laid out in this run."""
    return DayRules(
        anchors=context.client.rules.anchors,
        is_english=context.is_english,
        usual=me.persona.daily_requirement,
        agreed=todays(me, mind),
        out_of_reach=out_of_reach(me, mind),
    )


def out_of_reach(me: Thinker, mind: Mind) -> frozenset[str]:
    """Return the kinds of free time for which somebody knows no place or has no television.

    Nobody goes shopping for pleasure on two consecutive days.
    """
    home = sector_of(me.persona.home)
    known = [
        stems(arena)
        for arena, place in mind.places.items()
        if not place.owners and sector_of(arena) != home
    ]
    shops = [each for each in known if each & kind("shopping").rooms or each & _SHOPS]
    out = [each for each in known if each not in shops]
    far = {name for name in _GOING_OUT if not any(kind(name).rooms & each for each in out)}
    far |= set() if shops else {_SHOPPING}
    things = {
        thing_of(name)
        for arena, place in mind.places.items()
        if sector_of(arena) == home and (not place.owners or me.persona.name in place.owners)
        for name in place.objects
    }
    far |= set() if thing_of(_SCREEN) in things else {_SCREEN}
    rests = (day_of(me.surroundings.at) + pick((0, 1), "shops on", me.name)) % 2
    return frozenset(far | ({_SHOPPING} if rests else set()))
