"""Fit the day of a new run into a length of real time: fewer hours first, then fewer people.

The day is chosen before the run begins, and recorded like one that was asked for in other words. No
clock ends it: the same command without `--budget`, with what was chosen, lives the same history.
"""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.errors import RunError
from agents.times import DAY_SECONDS, moment
from agents.wording import names_of
from cli.paces import seconds_a_call
from cli.run.asking import Order, goal_of
from cli.run.expected import Estimate, about, span
from cli.settings.choosing import Chosen
from models.chat import Chat
from world.asked import usual_cast
from world.town.town import Town, shipped_town

HOUR = 3600
NOON, MORNING = 12 * HOUR, 7 * HOUR
"""Town seconds: no day is made shorter than until noon while a smaller cast is left to take, and
none shorter than until people are up."""
KEPT = 0.2
"""Part of a budget that is kept for repairs."""


@dataclass(frozen=True, kw_only=True)
class Day:
    """A day that could be lived."""

    cast: int | None
    """Which of the town's casts; None where people were asked for by name."""
    people: tuple[str, ...]
    goal: int
    """Town second at which it ends."""
    calls: float
    seconds: float
    """Real seconds that it takes where nothing is repaired."""

    @property
    def told(self) -> str:
        """Who lives until when, and what that takes."""
        return f"{names_of(self.people)} until {moment(self.goal)}, {self.cost}"

    @property
    def cost(self) -> str:
        """What it takes."""
        return f"{about(self.seconds)} for about {self.calls:,.0f} calls"


def fitted(order: Order, chosen: Chosen, chats: Sequence[Chat]) -> tuple[Day, str]:
    """Return the largest day that fits the order's budget, and why it was chosen.

    What was asked for holds, in the order or in the settings, and only the rest gives way. Raises
    RunError where nobody knows how fast the model is, and where no day fits.
    """
    budget = order.budget_seconds()
    a_call = _seconds_a_call(chats)
    town = Town.load(order.town or shipped_town())
    days = [_day(town, *way, a_call) for way in _ways(town, order, chosen)]
    wished, room = days[0], budget * (1 - KEPT)
    for day in days:
        if day.seconds <= room:
            return day, _why(day, wished, budget)
    least = min(days, key=lambda day: day.seconds)
    raise RunError(
        f"--budget {order.budget} is too short: {_at_least(least, wished)}, and a fifth of the "
        f"budget is kept for repairs. {_way_out(order, chosen)}"
    )


def _seconds_a_call(chats: Sequence[Chat]) -> float:
    """Return how long a call takes; RunError where nobody has measured it."""
    if all(chat.wants_inputs for chat in chats):
        raise RunError(
            "--budget is for runs with a model; the stand-in answers at once, and a day of it "
            "takes seconds: leave --budget out."
        )
    a_call = seconds_a_call(chats)
    if a_call is None:
        asked = next(chat for chat in chats if seconds_a_call([chat]) is None)
        doctor = shlex.join(["smolville", "doctor", "--model", asked.spec])
        raise RunError(
            f"--budget has to know how fast {asked.name} answers on this machine, and that has not "
            f"been measured yet. Run the doctor first: {doctor}"
        )
    return a_call


def _ways(
    town: Town, order: Order, chosen: Chosen
) -> Iterator[tuple[int | None, tuple[str, ...], int]]:
    """Yield who could live until when, the most wanted first: the cast's size, people, the end."""
    goal = goal_of(order.duration, order.until, 0, chosen.values.tick)
    sizes = [chosen.values.cast if order.agents is None else None]
    if sizes == [None] and order.agents is None:
        usual = usual_cast(town)
        sizes = [usual, *sorted((size for size in town.casts if size < usual), reverse=True)]
    for size in sizes:
        people = tuple(person.name for person in town.cast(size, order.agents))
        shortest = MORNING if size == sizes[-1] else NOON
        ends = range(DAY_SECONDS, shortest - 1, -HOUR) if goal is None else [goal]
        yield from ((size, people, end) for end in ends)


def _day(town: Town, cast: int | None, people: tuple[str, ...], goal: int, a_call: float) -> Day:
    """Return a day with what it takes."""
    whispers = sum(len(town.history.get(name, ())) for name in people)
    calls = Estimate(agents=len(people), start=0, goal=goal, extra=whispers).left()
    return Day(cast=cast, people=people, goal=goal, calls=calls, seconds=calls * a_call)


def _why(day: Day, wished: Day, budget: int) -> str:
    """Return what was chosen for a budget, and why, on one line."""
    if day == wished:
        return f"{day.told}; that fits into {span(budget)}"
    return (
        f"{day.told}, to fit into {span(budget)} with room for repairs; {names_of(wished.people)} "
        f"until {moment(wished.goal)} would take {wished.cost}"
    )


def _at_least(least: Day, wished: Day) -> str:
    """Return what even the smallest day takes."""
    return f"{'' if least == wished else 'even '}{least.told}"


def _way_out(order: Order, chosen: Chosen) -> str:
    """Return what can be changed where no day fits."""
    held = {
        "--agents": order.agents is not None,
        chosen.origin("cast").of("cast"): chosen.values.cast is not None and order.agents is None,
        "--for": order.duration is not None,
        "--until": order.until is not None,
    }
    given = " and ".join(option for option, is_given in held.items() if is_given)
    if given:
        return f"Leave {given} out, so that the day can be made smaller, or take a longer --budget."
    return "Take a longer --budget, or a faster model."
