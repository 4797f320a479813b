"""Sense checks of goals, and of turns of the world and the plot: no fragments or repetitions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from graphs.sense.words import share_in, words_of
from parsers.advance_plot import PlotTurn
from parsers.choose_happening import TownHappening
from parsers.problem import Problem, field_problem
from parsers.revise_goal import GoalRevision

if TYPE_CHECKING:
    from graphs.advance_plot import AdvancePlotInput
    from graphs.choose_happening import ChooseHappeningInput
    from graphs.revise_goal import ReviseGoalInput

THE_SAME = 0.9
"""A goal is not new if at least this share of its words is in the old goal or in one memory."""
DECISIONS = ("keep, done", "done or change", "keep or change")
"""Parts of the question that a model may write in place of a goal."""


def is_broken_off(text: str) -> bool:
    """Return whether a text breaks off in the middle of a phrase."""
    return text.rstrip(" \"'”’").endswith((":", ",", ";", "–", "-"))


def says_nothing_of_the_world(
    answer: TownHappening, inputs: "ChooseHappeningInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a happening that breaks off, and weather described in numbers."""
    if is_broken_off(answer.text):
        rest = ", which is broken off. Write one whole sentence."
        yield field_problem("text", answer.text, rest, "empty")
    if any(letter.isdigit() for letter in answer.weather):
        rest = ". Say what people see, without numbers."
        yield field_problem("weather", answer.weather, rest, "fact")


def tells_nothing_of_the_story(
    answer: PlotTurn, inputs: "AdvancePlotInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a letter, a notice or news that breaks off."""
    if is_broken_off(answer.text):
        rest = ", which is broken off. Write what it says in one whole sentence."
        yield field_problem("text", answer.text, rest, "empty")


def is_no_new_goal(
    answer: GoalRevision, inputs: "ReviseGoalInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a changed goal that equals the old one, a memory, or a piece of the question."""
    if answer.decision != "change" or answer.goal is None:
        return
    own = words_of(answer.goal)
    told = (inputs.goal, *(each.text for each in inputs.memories))
    if any(piece in answer.goal.casefold() for piece in DECISIONS):
        rest = ', which is no goal. Write what you want now, or choose "keep".'
        yield field_problem("goal", answer.goal, rest, "empty")
    elif any(share_in(own, words_of(each)) >= THE_SAME for each in told):
        rest = ', which is nothing new. Write what you want now, or choose "keep".'
        yield field_problem("goal", answer.goal, rest, "repeat")


HAPPENING_CHECKS = (SenseCheck(look=says_nothing_of_the_world, action="ask"),)
PLOT_CHECKS = (SenseCheck(look=tells_nothing_of_the_story, action="ask"),)
GOAL_CHECKS = (SenseCheck(look=is_no_new_goal, action="ask", languages=ENGLISH),)
