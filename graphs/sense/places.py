"""Sense of a place: what is done there fits it, and it is where the task says."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from agents.places import sector_of
from graphs.cards import PlaceCard, TaskCard
from graphs.sense.check import ENGLISH, SenseCheck, Shown
from graphs.sense.words import stands_in, words_of
from parsers.ground_block import GroundedTask, Grounding
from parsers.problem import Problem, field_problem

if TYPE_CHECKING:
    from graphs.ground_block import GroundBlockInput

FITTING: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (re.compile(rf"\b(?:{what})", re.IGNORECASE), frozenset(words.split()))
    for what, words in (
        (r"shower", "shower bath bathtub tub"),
        (r"tak\w+ a bath|bathing", "shower bath bathtub tub"),
        (r"toilet", "toilet"),
        (
            r"brush\w* (?:\w+ )?teeth|wash\w* (?:up$|(?:my|her|his) (?:face|hands))",
            "sink basin shower bath bathtub tub toilet washstand washbasin bathroom",
        ),
        (r"(?:go\w*|get\w*) (?:back )?to (?:bed|sleep)|sleeping|in bed", "bed sofa couch cot bunk"),
        (
            r"cook|fry|boil|roast",
            "stove oven cooker range hob kitchen counter fridge refrigerator"
            " table grill pot sink toaster kettle worktop microwave hearth fire",
        ),
    )
)
"""What is done, and words of the objects with which it is done."""


def object_fits(answer: Grounding, inputs: "GroundBlockInput", shown: Shown) -> Iterator[Problem]:
    """Give the tasks done with a wrong object, where a right one was offered."""
    for number, item, task, _ in _grounded(answer, inputs):
        for what, fitting in FITTING:
            if not what.search(task.activity) or item.object is None:
                continue
            better = next((each for each in inputs.places if _has(each, fitting)), None)
            if better is not None and not fitting & set(words_of(item.object)):
                rest = f" is not for {task.activity!r}. Look at place {better.number}."
                yield field_problem(f"items.{number}.object", item.object, rest, "place")


def as_in_the_example(
    answer: Grounding, inputs: "GroundBlockInput", shown: Shown
) -> Iterator[Problem]:
    """Give the tasks that are told in the words of a shown example, though they are others."""
    given, sources = words_of(shown.given), {tuple(words_of(text)) for text in shown.examples}
    for number, item, _, _ in _grounded(answer, inputs):
        for name in ("predicate", "thing", "object_state"):
            own = words_of(getattr(item, name) or "")
            is_short = len(own) < 2 or stands_in(own, given)
            if not is_short and tuple(own) in sources:
                rest = ", which is copied from an example. Say it of this task."
                yield field_problem(f"items.{number}.{name}", " ".join(own), rest, "copied")


def in_its_place(answer: Grounding, inputs: "GroundBlockInput", shown: Shown) -> Iterator[Problem]:
    """Give the tasks that say where they are done, and are put somewhere else that was offered."""
    home = sector_of(inputs.me.home)
    sectors = list(dict.fromkeys(sector_of(place.address) for place in inputs.places))
    for number, item, task, place in _grounded(answer, inputs):
        words = words_of(task.activity)
        named = [each for each in sectors if stands_in(_plain(each), words)]
        if not named and re.search(r"\bat home\b", task.activity, re.IGNORECASE):
            named = [home] if home in sectors else []
        there = "elsewhere" if place is None else sector_of(place.address)
        if len(named) == 1 and there != named[0]:
            right = next(each for each in inputs.places if sector_of(each.address) == named[0])
            rest = f", but {task.activity!r} is at {named[0]}: place {right.number}."
            yield field_problem(f"items.{number}.place", item.place, rest, "place")


def _grounded(
    answer: Grounding, inputs: "GroundBlockInput"
) -> Iterator[tuple[int, GroundedTask, TaskCard, PlaceCard | None]]:
    """Give each item with its task and its place; None for a place that was not offered."""
    tasks = {task.number: task for task in inputs.tasks}
    places = {place.number: place for place in inputs.places}
    for number, item in enumerate(answer.items):
        if item.task in tasks:
            yield number, item, tasks[item.task], places.get(item.place)


def _has(place: PlaceCard, fitting: frozenset[str]) -> bool:
    """Whether a place has an object of some words."""
    return any(fitting & set(words_of(thing)) for thing in place.objects)


def _plain(sector: str) -> list[str]:
    """Return the words of a sector's name, without its article."""
    words = words_of(sector)
    return words[1:] if words[:1] == ["the"] else words


CHECKS: tuple["SenseCheck[GroundBlockInput, Grounding]", ...] = (
    SenseCheck(look=as_in_the_example, action="mark"),
    SenseCheck(look=in_its_place, action="mark", languages=ENGLISH),
    SenseCheck(look=object_fits, action="mark", languages=ENGLISH),
)
