"""The answer of the step `decompose`: the subtasks of a block of time."""

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self, TypeGuard

from pydantic import Field, ValidationInfo, field_validator

from smolville.parsers.answer import (
    Answer,
    AnswerPart,
    Context,
    Mended,
    answer_field,
    read_context_value,
)
from smolville.parsers.problem import PlainWords, own_problem, reject
from smolville.parsers.prompt_inputs import PersonaInput, PlannedCard, PromptInput, RecalledMemory

SHORTEST = 5
"""Minimum minutes of a subtask, unless the block itself is shorter."""
LONGEST = 60
"""Maximum minutes of a subtask."""


class DecomposeInput(PromptInput):
    """The inputs that the prompt `decompose` shows."""

    former: ClassVar[frozenset[str]] = frozenset({"ideas"})

    me: PersonaInput
    date: str
    activity: str
    """The activity of the block."""
    start: str
    """Clock time at which the block starts."""
    end: str
    """Clock time at which the block ends."""
    minutes: int
    """Minutes from start to end."""
    around: tuple[PlannedCard, ...]
    """The blocks before and after."""
    agreed: tuple[str, ...] = Field((), exclude_if=lambda agreed: not agreed)
    """What was agreed for today and tomorrow, one line each."""
    memories: tuple[RecalledMemory, ...] = Field((), exclude_if=lambda memories: not memories)
    """What is on my mind about it: at most three memories."""


def apportion_minutes(minutes: Sequence[int], total: int) -> list[int] | None:
    """Return the minutes scaled to add up to `total`, in multiples of 5 if possible.

    Each becomes 5 to 60 minutes; None if that many subtasks cannot share the total in this way.
    """
    unit = SHORTEST if total >= SHORTEST * len(minutes) else 1
    units, rest = divmod(total, unit)
    most = LONGEST // unit
    if unit == 1 and total >= SHORTEST:
        return None
    if not minutes or not len(minutes) <= units <= most * len(minutes):
        return None
    exact = [part * units / sum(minutes) for part in minutes]
    shares = [min(max(int(part), 1), most) for part in exact]
    while sum(shares) != units:
        step = 1 if sum(shares) < units else -1
        free = [i for i, share in enumerate(shares) if 1 <= share + step <= most]
        chosen = max(free, key=lambda i: ((exact[i] - shares[i]) * step, -i))
        shares[chosen] += step
    return _with_rest([share * unit for share in shares], rest)


def _with_rest(shares: list[int], rest: int) -> list[int] | None:
    """Return the shares with the missing minutes `rest` added to one of them.

    It is the longest share that stays within an hour. Returns None if no share does.
    """
    if rest == 0:
        return shares
    room = [i for i, share in enumerate(shares) if share + rest <= LONGEST]
    if not room:
        return None
    longest = max(room, key=lambda i: (shares[i], -i))
    return [share + rest if i == longest else share for i, share in enumerate(shares)]


MOST = 12
"""Maximum number of subtasks of a block."""


def fit_subtasks(minutes: Sequence[int], total: int) -> list[tuple[int, int]] | None:
    """Return the subtasks that fill the total, each as (position among those given, minutes).

    The given minutes are relative sizes, scaled to the total. A subtask of more than an hour is
    divided into several, and a subtask for which no time is left is dropped. None if there would
    still be too many.
    """
    kept = list(minutes[: max(1, total // SHORTEST)])
    whole = apportion_minutes(kept, total)
    if whole is not None:
        return list(enumerate(whole))
    exact = [part * total / sum(kept) for part in kept]
    pieces = [max(1, math.ceil(want / LONGEST - 1e-9)) for want in exact]
    order = [place for place, count in enumerate(pieces) for _ in range(count)]
    sizes = [max(1, round(exact[place] / pieces[place])) for place in order]
    shares = apportion_minutes(sizes, total)
    if shares is None or len(order) > MOST:
        return None
    return list(zip(order, shares, strict=True))


_TOTAL = re.compile(
    r"\W*(?:the |in |grand )?(?:total|sum|altogether|in all)(?![a-z])"
    r"(?:[\W\d]|(?:time|duration|length|of|for|is|all|the|steps?|subtasks?|tasks?|block"
    r"|h|hours?|m|mins?|minutes?)(?![a-z]))*",
    re.IGNORECASE,
)
"""The name of an item that is no step but the sum of all."""


class Subtask(AnswerPart):
    """One step of a longer activity."""

    activity: Annotated[str, Field(min_length=3, max_length=120)] = answer_field(
        "what you do", "task subtask name description action"
    )
    minutes: int = Field(
        description="about how long it takes, in minutes",
        json_schema_extra={
            "minimum": 1,
            "maximum": LONGEST,
            "aliases": ["duration", "duration_minutes", "duration_in_minutes", "mins"],
        },
    )

    @field_validator("activity")
    @classmethod
    def _is_a_step(cls, activity: str) -> str:
        if _TOTAL.fullmatch(activity):
            reject([own_problem(activity, ", which is no step. Leave it out.")])
        return activity

    @field_validator("minutes")
    @classmethod
    def _is_short(cls, minutes: int, info: ValidationInfo) -> int:
        total = read_context_value(info.context, "minutes")
        least = 1 if total is None else min(SHORTEST, total)
        if not least <= minutes <= LONGEST:
            rest = f". Write a whole number from {least} to {LONGEST}."
            reject([own_problem(minutes, rest, "range")])
        return minutes


class Subtasks(Answer):
    """The steps of one block of time, in order."""

    total_name: ClassVar[str] = "minutes"
    """The context's name for the minutes that the steps must add up to."""

    subtasks: Annotated[list[Subtask], Field(min_length=1, max_length=MOST)] = answer_field(
        "the steps in the order in which you do them", "tasks steps activities schedule"
    )

    @field_validator("subtasks")
    @classmethod
    def _add_up(cls, subtasks: list[Subtask], info: ValidationInfo) -> list[Subtask]:
        total = read_context_value(info.context, cls.total_name)
        given = sum(subtask.minutes for subtask in subtasks)
        if total is not None and given != total:
            rest = f". They must add up to exactly {total} minutes."
            reject([own_problem(PlainWords(f"{given} minutes in all"), rest, "sum")])
        return subtasks

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Return the steps stretched or shortened to fill the block, as the prompt announces.

        Scaling alone does not count as a mend; leaving a step out or dividing one does. Before
        that, a total is left out, and running totals become the minutes of each step.
        """
        total, items = read_context_value(context, cls.total_name), data.get("subtasks")
        if total is None or total < 1 or not _have_minutes(items):
            return data, []
        items, notes = _without_total(items, total)
        given = [item["minutes"] for item in items]
        is_right = sum(given) == total and min(total, SHORTEST) <= min(given)
        found = None if is_right and max(given) <= LONGEST else fit_subtasks(given, total)
        if found is None:
            return data | {"subtasks": items}, notes
        places = [place for place, _ in found]
        if len(set(places)) < len(items):
            notes.append(f"`subtasks`: left out the last {len(items) - len(set(places))}")
        if max(given) > LONGEST and len(set(places)) == len(places):
            notes.append(f"`subtasks`: took {max(given)} minutes for the longest of the steps")
        if len(set(places)) < len(places):
            notes.append("`subtasks`: wrote a step longer than an hour as several")
        filled = [items[place] | {"minutes": share} for place, share in found]
        return data | {"subtasks": filled}, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example: a block of 60 minutes."""
        return cls.of(
            *(("weighing flour and yeast", 10), ("kneading the dough", 25)),
            *(("shaping the loaves", 15), ("cleaning the counter", 10)),
        )

    @classmethod
    def of(cls, *steps: tuple[str, int]) -> Self:
        """Return the answer with these steps, each given as its activity and minutes."""
        return cls(subtasks=[Subtask(activity=each, minutes=minutes) for each, minutes in steps])


def _without_total(
    items: list[dict[str, Any]], total: int
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the steps without an item that is their total, with the minutes of each, and notes.

    Minutes that grow up to exactly those of the block are running totals.
    """
    notes = []
    rest = [item for item in items if not _is_total(item)]
    named = [item["minutes"] for item in items if _is_total(item)]
    if len(named) == 1 and rest and named[0] in (total, sum(item["minutes"] for item in rest)):
        items, notes = rest, ["`subtasks`: left out the total"]
    ends = [item["minutes"] for item in items]
    if len(ends) > 1 and ends[-1] == total and all(a < b for a, b in pairwise(ends)):
        notes.append(f"`subtasks`: read {', '.join(map(str, ends))} as running totals")
        parts = [end - start for start, end in pairwise([0, *ends])]
        items = [item | {"minutes": part} for item, part in zip(items, parts, strict=True)]
    return items, notes


def _is_total(item: Mapping[str, Any]) -> bool:
    return isinstance(item.get("activity"), str) and bool(_TOTAL.fullmatch(item["activity"]))


def _have_minutes(items: object) -> TypeGuard[list[dict[str, Any]]]:
    return (
        isinstance(items, list)
        and bool(items)
        and all(isinstance(item, dict) and _is_positive(item.get("minutes")) for item in items)
    )


def _is_positive(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 100_000
