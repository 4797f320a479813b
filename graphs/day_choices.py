"""Facts of a day computed before a small model chooses: errands, preparations, waking times."""

from typing import TYPE_CHECKING

from agents.memory import for_plans
from agents.times import DAY, clock, date_of, date_text, day_of, minute_at
from agents.weather import day_in_words
from graphs.activities.filling import EVE
from graphs.components import ENTITIES
from graphs.context import MindContext, Thinker
from graphs.frame.day import TIME_TO_WASH
from graphs.frame.errands import errand_before_opening
from graphs.frame.happenings import happenings
from graphs.prompt_inputs import PlannedCard, PromiseCard

if TYPE_CHECKING:
    from graphs.plan_day import PlanDayInput


def errand_of(inputs: "PlanDayInput") -> str:
    """Return the errand before opening time, `fetching bread`; empty if there is none."""
    names = (inputs.me.name, inputs.me.first_name)
    return errand_before_opening(inputs.requirement, names, inputs.date)


def preparing_tomorrow(me: Thinker, inputs: "PlanDayInput") -> str:
    """Return `getting ready for the dance` for the person's own event of tomorrow, else ""."""
    tomorrow = date_text(me.surroundings.start_date, day_of(me.surroundings.at) + 1)
    events = happenings(inputs.me, tomorrow, inputs.memories)
    own = (each.what.removeprefix("the ") for each in events if each.is_own)
    return next((f"{EVE}{what}" for what in own), "")


def mark_agreed(inputs: "PlanDayInput") -> tuple[PromiseCard, ...]:
    """Return the promises, marking those already agreed to, which code keeps without asking."""
    given = for_plans(inputs.me.name)
    told = [each for each in inputs.memories if each.text.startswith(given)]
    times = {clock(each.start) for each in happenings(inputs.me, inputs.date, told)}
    return tuple(
        each.model_copy(update={"is_kept": each.time in times}) for each in inputs.promises
    )


def forecast(me: Thinker, context: MindContext) -> dict[str, str]:
    """Return the day's weather as a field, if the run has any."""
    if not me.has(ENTITIES):
        return {}
    day = date_of(me.surroundings.start_date, day_of(me.surroundings.at))
    return {"weather": day_in_words(context.client.seed, day)}


def waking_choices(
    inputs: "PlanDayInput", usual: int
) -> tuple[tuple[str, ...], tuple[PlannedCard, ...]]:
    """Return the wake-up times that leave time to wash, and the day's blocks after waking.

    `usual` is the minute at which somebody wakes up as a rule; washing moves along with waking.
    """
    first = min((start for each in inputs.stands if (start := _start(each)) > usual), default=DAY)
    latest = max(usual, first - TIME_TO_WASH)
    wakes = tuple(each for each in inputs.wakes if minute_at(each) <= latest)
    return wakes, tuple(each for each in inputs.stands if _start(each) != usual)


def _start(card: PlannedCard) -> int:
    """Return the minute of the day at which a part of it begins."""
    return minute_at(card.time.partition("-")[0])
