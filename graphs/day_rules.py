"""What code knows about a day before it is planned: its rules, and the options to choose from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.chance import pick
from agents.memory import for_plans
from agents.mind import Mind
from agents.places import sector_of
from agents.plan import Spot
from agents.times import DAY, clock, date_of, date_text, day_of, minute_at
from agents.weather import day_in_words
from graphs.activities.filling import EVE
from graphs.activities.kinds import kind, thing_of
from graphs.appointments import todays
from graphs.components import ENTITIES
from graphs.context import MindContext, Thinker
from graphs.frame.day import TIME_TO_WASH
from graphs.frame.errands import errand_before_opening
from graphs.frame.happenings import DatedEvent, happenings
from graphs.loop.rules import Anchors
from graphs.prompt_inputs import PlannedCard, PromiseCard
from models.standin.words import stems

if TYPE_CHECKING:
    from graphs.plan_day import PlanDayInput


_GOING_OUT = ("walk", "exercise", "friends")
"""Kinds of free time that need a suitable place known to the person."""
_SHOPS = stems("hardware bakery bookshop")
"""Words for shops. A shop's name may mention a garden or a café, although nobody walks or sits
there."""
_SCREEN, _SHOPPING = "television", "shopping"


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
    out_of_reach: frozenset[str] = frozenset()
    """Kinds of free time for which the person knows no place."""


USUAL_RULES = DayRules()
"""The default rules: everything is fixed, and the words can be read."""


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
    """Return the kinds of leisure that somebody cannot choose today.

    These are kinds for which they know no place, television if they have none at home, and shopping
    on every second day.
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


def errand_of(inputs: "PlanDayInput") -> str:
    """Return the errand before opening time, `fetching bread`; empty if there is none."""
    names = (inputs.me.name, inputs.me.first_name)
    return errand_before_opening(inputs.requirement, names, inputs.date)


def preparing_tomorrow(me: Thinker, inputs: "PlanDayInput") -> str:
    """Return `getting ready for the dance` if the person gives a dance tomorrow, else ""."""
    tomorrow = date_text(me.surroundings.start_date, day_of(me.surroundings.at) + 1)
    events = happenings(inputs.me, tomorrow, inputs.memories)
    own = (each.what.removeprefix("the ") for each in events if each.is_own)
    return next((f"{EVE}{what}" for what in own), "")


def mark_agreed(inputs: "PlanDayInput") -> tuple[PromiseCard, ...]:
    """Return the promises, those for an agreed appointment marked as kept.

    Code enters these into the plan, so the model is not asked about them.
    """
    given = for_plans(inputs.me.name)
    told = [each for each in inputs.memories if each.text.startswith(given)]
    times = {clock(each.start) for each in happenings(inputs.me, inputs.date, told)}
    return tuple(
        each.model_copy(update={"is_kept": each.time in times}) for each in inputs.promises
    )


def forecast(me: Thinker, context: MindContext) -> dict[str, str]:
    """Return the day's weather as an input field; empty in a run without weather."""
    if not me.has(ENTITIES):
        return {}
    day = date_of(me.surroundings.start_date, day_of(me.surroundings.at))
    return {"weather": day_in_words(context.client.seed, day)}


def waking_choices(
    inputs: "PlanDayInput", usual: int
) -> tuple[tuple[str, ...], tuple[PlannedCard, ...]]:
    """Return the wake-up times that leave time to wash, and the day's blocks without the washing.

    `usual` is the minute at which the person usually wakes up, and at which washing begins. The
    washing is left out because it moves together with waking up.
    """
    first = min((start for each in inputs.stands if (start := _start(each)) > usual), default=DAY)
    latest = max(usual, first - TIME_TO_WASH)
    wakes = tuple(each for each in inputs.wakes if minute_at(each) <= latest)
    return wakes, tuple(each for each in inputs.stands if _start(each) != usual)


def _start(card: PlannedCard) -> int:
    """Return the minute of the day at which an entry of the plan begins."""
    return minute_at(card.time.partition("-")[0])
