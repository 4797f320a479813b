"""Sense checks of places: the room has what the task needs, and no rule of the town forbids it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from smolville.graphs.prompt_inputs import PlaceCard, TaskCard
from smolville.graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from smolville.graphs.sense.words import words_of
from smolville.parsers.choose_place import SectorChoice
from smolville.parsers.ground_block import Grounding
from smolville.parsers.problem import Problem, field_problem, rule_problem

if TYPE_CHECKING:
    from smolville.graphs.choose_place import ChoosePlaceInput
    from smolville.graphs.ground_block import GroundBlockInput

FITTING: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (re.compile(rf"^(?:{what})", re.IGNORECASE), frozenset(words.split()))
    for what, words in (
        (r"(?:tak\w+ a (?:\w+ )?)?shower", "shower bath bathtub tub"),
        (r"tak\w+ a (?:\w+ )?bath|bathing", "shower bath bathtub tub"),
        (r"(?:us\w+|go\w+ to) the toilet", "toilet"),
        (
            r"brush\w* (?:\w+ )?teeth|wash\w* (?:up$|(?:my|her|his) (?:face|hands))",
            "sink basin shower bath bathtub tub toilet washstand washbasin bathroom",
        ),
        (r"(?:go\w*|get\w*) (?:back )?to (?:bed|sleep)|sleeping", "bed sofa couch cot bunk"),
        (
            r"(?:cook|fry|boil|roast)ing",
            "stove oven cooker range hob kitchen counter fridge refrigerator"
            " table grill pot sink toaster kettle worktop microwave hearth fire",
        ),
    )
)
"""Pattern of the beginning of a task, and words in the names of objects used for it."""


def object_fits(
    answer: Grounding, inputs: "GroundBlockInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield tasks whose room lacks a suitable object, although a room with one was offered."""
    for task, number, place in _list_chosen_places(answer, inputs):
        for what, fitting in FITTING:
            is_right = place is not None and _has(place, fitting)
            if is_right or not what.search(task.activity):
                continue
            lawful = (each for each in inputs.places if task.letter not in each.barred)
            better = next((each for each in lawful if _has(each, fitting)), None)
            if better is not None:
                rest = f", which is not for {task.activity!r}. Look at place {better.number}."
                yield field_problem(task.letter, number, rest, "place")


def _list_chosen_places(
    answer: Grounding, inputs: "GroundBlockInput"
) -> Iterator[tuple[TaskCard, int, PlaceCard | None]]:
    """Yield each task asked, the number chosen for it, and the place of that number.

    The place is None if the number means none of them.
    """
    places = {place.number: place for place in inputs.places}
    for task in inputs.asked:
        number = answer.of(task.letter)
        if number is not None:
            yield task, number, places.get(number)


def _has(place: PlaceCard, fitting: frozenset[str]) -> bool:
    """Return whether the name of an object in a room contains one of these words."""
    return any(fitting & set(words_of(thing)) for thing in place.things)


def breaks_no_rule(
    answer: Grounding, inputs: "GroundBlockInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield tasks put where they would break a rule of the town."""
    for task, number, place in _list_chosen_places(answer, inputs):
        if place is not None and task.letter in place.barred:
            lawful = [str(each.number) for each in inputs.places if task.letter not in each.barred]
            advice = f"Choose another place: {', '.join(lawful)} or, for none of them, 0."
            yield rule_problem(task.letter, number, place.rule, advice)


def keeps_out(
    answer: SectorChoice, inputs: "ChoosePlaceInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield each sector whose rooms are all forbidden to the activity by a rule of the town."""
    chosen = next((each for each in inputs.sectors if each.number == answer.sector), None)
    if chosen is not None and chosen.forbidden:
        advice = f"{chosen.name} is not allowed now. Choose another one of SECTORS."
        yield rule_problem("sector", answer.sector, chosen.forbidden, advice)


LAWFUL: tuple["SenseCheck[ChoosePlaceInput, SectorChoice]", ...] = (
    SenseCheck(look=keeps_out, action="refuse"),
)
CHECKS: tuple["SenseCheck[GroundBlockInput, Grounding]", ...] = (
    SenseCheck(look=breaks_no_rule, action="refuse"),
    SenseCheck(look=object_fits, action="mark", languages=ENGLISH),
)
