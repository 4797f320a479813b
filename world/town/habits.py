"""The habits that can be read from a town's people's files, and notes on what cannot."""

from collections.abc import Iterator
from datetime import date

from agents.habits import NEVER, Habits
from agents.persona import Persona
from agents.times import date_text, minute_at
from graphs.context import who_of
from graphs.frame.habits import habits_in
from graphs.frame.sources import WORK, FixedPoint, fixed_points

_WORDS = {"wake": "getting up", "bed": "going to bed"}
_NEAR = 30
"""Minutes by which a field and words may differ: words say "around six"."""


def habits_in_town(persona: Persona, start_date: date) -> tuple[FixedPoint, ...]:
    """Return the fixed points of somebody's first week, with where each comes from."""
    me, required = who_of(persona, persona.currently), persona.daily_requirement
    dates = [date_text(start_date, day) for day in range(1, 8)]
    return fixed_points(me, required, dates, usual=required)


def notes_on_habits(persona: Persona, points: tuple[FixedPoint, ...]) -> Iterator[str]:
    """Yield a sentence on hours that no field gives and that could not be read from words."""
    for each, words in _contradictions(persona, points):
        told = each.time if each.time == NEVER else f"at {each.time}"
        yield (
            f'{persona.name}: the words "{words}" and the {each.origin()} ({told}) differ; let '
            "both say the same, since models read the words."
        )
    usual = [each for each in points if each.source == "usual" and each.name != WORK]
    if usual:
        what = ", ".join(f"{_WORDS.get(each.name, each.name)} {each.time}" for each in usual)
        yield (
            f"{persona.name}: `lifestyle` does not tell these hours in words that can be read, so "
            f"usual ones are taken: {what}. Write your own as [habits]."
        )
    timed = [each for each in points if each.name == WORK and each.source != "usual"]
    if persona.habits.work is None and not timed:
        yield (
            f"{persona.name}: `daily_requirement` tells no hours that can be read; write what any "
            "day must hold as [[habits.work]], or `work = []` in [habits] if there is nothing."
        )


def _contradictions(
    persona: Persona, points: tuple[FixedPoint, ...]
) -> Iterator[tuple[FixedPoint, str]]:
    """Yield the fields whose hour differs from the one in words, with these words."""
    read = habits_in(Habits(), persona.lifestyle)
    for each in points:
        words = read.get(each.name)
        if each.source != "field" or words is None or words.told is None:
            continue
        if each.time == NEVER or abs(minute_at(each.time) - words.told) > _NEAR:
            yield each, words.words
