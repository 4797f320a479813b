"""Fit the day of a new run into an amount of real time: with fewer hours, then with fewer people.

The day is chosen before the run begins, and recorded as if its length and cast had been given as
options. No clock ends the run: the same command with these options instead of `--budget` gives the
same history.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smolville.agents.errors import RunError
from smolville.agents.times import DAY_SECONDS, moment
from smolville.agents.wording import names_of
from smolville.cli.run.models import examine_command
from smolville.cli.run.options import RunOptions, goal_of
from smolville.cli.settings.choosing import ResolvedSettings
from smolville.lab.duration import calls_of_day, format_estimate, seconds_a_call, span
from smolville.models.chat import Chat
from smolville.world.run_request import usual_cast
from smolville.world.town.town import Town, shipped_town

HOUR = 3600
NOON, MORNING = 12 * HOUR, 7 * HOUR
"""Earliest ends of a day, in town seconds. For the smallest possible cast it is the hour at which
people are up, for all others noon."""
KEPT = 0.2
"""Share of the budget that is reserved for repairs."""


@dataclass(frozen=True, kw_only=True)
class Day:
    """A possible day of the run: who takes part, when it ends, and how long it takes."""

    cast: int | None
    """Size of the town's cast to use; None if people were chosen by name."""
    people: tuple[str, ...]
    goal: int
    """Town second at which the day ends."""
    a_call: float

    @property
    def seconds(self) -> float:
        """Real seconds that the day takes without any repairs."""
        return self.a_call * calls_of_day(len(self.people), goal=self.goal)

    def __str__(self) -> str:
        """Return who takes part, when the day ends, and how long it takes."""
        calls = calls_of_day(len(self.people), goal=self.goal)
        cost = f"{format_estimate(self.seconds)} for about {calls:,.0f} calls"
        return f"{names_of(self.people)} until {moment(self.goal)}, {cost}"


def fit_budget(
    order: RunOptions, chosen: ResolvedSettings, chats: Sequence[Chat]
) -> tuple[Day, str]:
    """Return the largest day that fits the order's budget, and why it was chosen.

    Limits given by the order or the settings are kept; only the rest is reduced. Raises RunError if
    the model's speed was never measured, or if no day fits.
    """
    budget = order.budget_seconds()
    days = list(_days(order, chosen, _seconds_a_call(chats)))
    fits = [day for day in days if day.seconds <= budget * (1 - KEPT)]
    if fits[:1] == days[:1]:
        return days[0], f"{days[0]}; that fits into {span(budget)}"
    if fits:
        told = f"{fits[0]}, to fit into {span(budget)} with room for repairs"
        return fits[0], f"{told}; wished for: {days[0]}"
    least = min(days, key=lambda day: day.seconds)
    even = "" if least == days[0] else "even "
    raise RunError(
        f"--budget {order.budget} is too short: {even}{least}, and a fifth of the budget is kept "
        f"for repairs. {_way_out(order, chosen)}"
    )


def _seconds_a_call(chats: Sequence[Chat]) -> float:
    """Return how long a call takes; raise RunError if that was never measured."""
    if all(chat.wants_inputs for chat in chats):
        raise RunError(
            "--budget is for runs with a model; the stand-in answers at once, and a day of it "
            "takes seconds: leave --budget out."
        )
    a_call = seconds_a_call(chats)
    if a_call is None:
        asked = next(chat for chat in chats if seconds_a_call([chat]) is None)
        raise RunError(
            f"--budget has to know how fast {asked.name} answers on this machine, and that has not "
            f"been measured yet. Run the doctor first: {examine_command(asked)}"
        )
    return a_call


def _days(order: RunOptions, chosen: ResolvedSettings, a_call: float) -> Iterator[Day]:
    town = Town.load(order.town or shipped_town())
    goal = goal_of(order.duration, order.until, 0, chosen.values.tick)
    sizes = [chosen.values.cast if order.agents is None else None]
    if sizes == [None] and order.agents is None:
        usual = usual_cast(town)
        sizes = [usual, *sorted((size for size in town.casts if size < usual), reverse=True)]
    for size in sizes:
        people = tuple(person.name for person in town.cast(size, order.agents))
        shortest = MORNING if size == sizes[-1] else NOON
        ends = range(DAY_SECONDS, shortest - 1, -HOUR) if goal is None else [goal]
        yield from (Day(cast=size, people=people, goal=end, a_call=a_call) for end in ends)


def _way_out(order: RunOptions, chosen: ResolvedSettings) -> str:
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
