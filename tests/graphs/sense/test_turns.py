"""What the checks object to in goals and in the turns of the world and the plot."""

import pytest

from graphs.catalogue import SAMPLES
from graphs.sense.check import CheckContext
from graphs.sense.turns import GOAL_CHECKS, HAPPENING_CHECKS, PLOT_CHECKS
from parsers.advance_plot import PlotTurn
from parsers.choose_happening import TownHappening
from parsers.revise_goal import GoalRevision

SHOWN = CheckContext()


def kinds(checks, answer, step):
    """The kinds of problems that checks find in an answer."""
    inputs = SAMPLES[step]
    return [each.kind for check in checks for each in check.find_problems(answer, inputs, SHOWN)]


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        (SAMPLES["revise_goal"].goal, ["repeat"]),
        (SAMPLES["revise_goal"].memories[0].text, ["repeat"]),
        ("keep, done or change", ["empty"]),
        ("Mia wants to walk to the sea and back.", []),
    ],
)
def test_a_new_goal_is_neither_the_old_one_nor_a_memory_nor_the_question(goal, found):
    answer = GoalRevision(reason="so", decision="change", goal=goal)
    assert kinds(GOAL_CHECKS, answer, "revise_goal") == found
    kept = GoalRevision(reason="so", decision="keep", goal=None)
    assert kinds(GOAL_CHECKS, kept, "revise_goal") == []


@pytest.mark.parametrize(
    ("text", "found"), [("The stranger wrote:", ["empty"]), ("The key fits.", [])]
)
def test_what_arrives_is_a_whole_sentence(text, found):
    turn = PlotTurn(kind="news", person=1, place=1, text=text, act_is_over=False)
    assert kinds(PLOT_CHECKS, turn, "advance_plot") == found
    happening = TownHappening(weather="Rain falls.", kind="news", place=1, text=text)
    assert kinds(HAPPENING_CHECKS, happening, "choose_happening") == found


def test_the_weather_is_told_without_numbers():
    happening = TownHappening(weather="It is 6 degrees.", kind="news", place=1, text="Calm.")
    assert kinds(HAPPENING_CHECKS, happening, "choose_happening") == ["fact"]
