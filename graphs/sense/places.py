"""Sense checks of places: no rule of the town forbids what is chosen."""

from collections.abc import Iterator

from smolville.graphs.sense.check import CheckContext, SenseCheck
from smolville.parsers.choose_place import ChoosePlaceInput, SectorChoice
from smolville.parsers.ground_block import GroundBlockInput, Grounding
from smolville.parsers.problem import Problem, rule_problem


def breaks_no_rule(
    answer: Grounding, inputs: GroundBlockInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield tasks put where they would break a rule of the town."""
    places = {place.number: place for place in inputs.places}
    for task in inputs.asked:
        place = places.get(answer.of(task.letter) or 0)
        if place is not None and task.letter in place.barred:
            lawful = [str(each.number) for each in inputs.places if task.letter not in each.barred]
            advice = f"Choose another place: {', '.join(lawful)} or, for none of them, 0."
            yield rule_problem(task.letter, place.number, place.rule, advice)


def keeps_out(
    answer: SectorChoice, inputs: ChoosePlaceInput, shown: CheckContext
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
)
