"""What the checks object to in goals."""

import pytest

from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.sense.check import CheckContext
from smolville.graphs.sense.thinking import GOAL_CHECKS
from smolville.parsers.revise_goal import GoalRevision

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
        ("Mia wants to walk to the sea and back.", []),
    ],
)
def test_a_new_goal_is_neither_the_old_one_nor_a_memory(goal, found):
    answer = GoalRevision(reason="so", decision="change", goal=goal)
    assert kinds(GOAL_CHECKS, answer, "revise_goal") == found
    kept = GoalRevision(reason="so", decision="keep", goal=None)
    assert kinds(GOAL_CHECKS, kept, "revise_goal") == []
