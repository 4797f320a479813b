"""Sense checks of places: the object fits the task, and the place is the one the task mentions."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from agents.places import sector_of
from graphs.activities.spots import is_at_home, plain_name
from graphs.prompt_inputs import SpotCard, TaskCard
from graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from graphs.sense.words import stands_in, words_of
from parsers.choose_place import SectorChoice
from parsers.ground_block import Grounding
from parsers.problem import Problem, field_problem, rule_problem

if TYPE_CHECKING:
    from graphs.choose_place import ChoosePlaceInput
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
"""Pattern of an activity, and words in the names of objects used for it."""


def object_fits(
    answer: Grounding, inputs: "GroundBlockInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield tasks whose spot lacks a suitable object, although a spot with one was offered."""
    for task, number, spot in _list_chosen_spots(answer, inputs):
        for what, fitting in FITTING:
            is_right = spot is not None and _is_of(spot, fitting)
            if is_right or not what.search(task.activity):
                continue
            better = next(
                (each for each in task.spots if _is_of(each, fitting) and not each.forbidden), None
            )
            if better is not None:
                rest = f", which is not for {task.activity!r}. Look at spot {better.number}."
                yield field_problem(task.letter, number, rest, "place")


def in_its_place(
    answer: Grounding, inputs: "GroundBlockInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield tasks that name a place but are put into another, though the named one was offered."""
    home = sector_of(inputs.me.home)
    for task, number, spot in _list_chosen_spots(answer, inputs):
        words = words_of(task.activity)
        offered = [each for each in task.spots if not each.forbidden]
        sectors = dict.fromkeys(sector_of(each.place) for each in offered)
        named = [each for each in sectors if stands_in(plain_name(each), words)]
        if not named and is_at_home(task.activity):
            named = [home] if home in sectors else []
        there = "elsewhere" if spot is None else sector_of(spot.place)
        if len(named) == 1 and there != named[0]:
            right = next(each for each in offered if sector_of(each.place) == named[0])
            rest = f", but {task.activity!r} is at {named[0]}: spot {right.number}."
            yield field_problem(task.letter, number, rest, "place")


def _list_chosen_spots(
    answer: Grounding, inputs: "GroundBlockInput"
) -> Iterator[tuple[TaskCard, int, SpotCard | None]]:
    """Yield each task, the number chosen for it, and the spot of that number.

    The spot is None if the number means "elsewhere".
    """
    for task in inputs.tasks:
        number = answer.of(task.letter)
        if number is not None:
            yield task, number, next((each for each in task.spots if each.number == number), None)


def _is_of(spot: SpotCard, fitting: frozenset[str]) -> bool:
    """Return whether the name of a spot's object contains one of these words."""
    return bool(fitting & set(words_of(spot.object)))


def breaks_no_rule(
    answer: Grounding, inputs: "GroundBlockInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield tasks put where they would break a rule of the town."""
    for task, number, spot in _list_chosen_spots(answer, inputs):
        if spot is not None and spot.forbidden:
            lawful = [str(each.number) for each in task.spots if not each.forbidden]
            lawful += ["0 for somewhere else"] if task.elsewhere else []
            advice = f"Choose another spot: {' or '.join(lawful)}."
            yield rule_problem(task.letter, number, spot.forbidden, advice)


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
    SenseCheck(look=in_its_place, action="mark", languages=ENGLISH),
    SenseCheck(look=object_fits, action="mark", languages=ENGLISH),
)
