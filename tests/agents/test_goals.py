"""Goals: where they come from, and which memories concern one."""

import pytest

from smolville.agents.memory import Memory
from smolville.agents.mind import MOST_GOALS, Goal, concerns, first_goals

GOAL = Goal(text="Ada Brook wants to invite everybody to a soup evening at the café.")


def _memory(text: str) -> Memory:
    return Memory(
        id="a/1/b/0/0", agent="Ada Brook", kind="talk", text=text, created=1, tick=1, accessed=1
    )


def test_the_persona_files_goals_come_first() -> None:
    asked = ["  Sell more  soup. ", "", "Learn to swim.", "Rest.", "Fly."]
    assert [each.text for each in first_goals(asked, "Ada hopes.", "Ada")] == [
        "Sell more soup.",
        "Learn to swim.",
        "Rest.",
    ]
    assert MOST_GOALS == 3


@pytest.mark.parametrize(
    ("currently", "goal"),
    [
        ("It is May. She wants a dog. She is glad.", "Ada wants a dog."),
        ("He looks for a cook.", "Ada looks for a cook."),
        ("It is May. Soup is hot.", "It is May."),
        ("Ada hopes for rain. Ada wants sun.", "Ada hopes for rain."),
    ],
)
def test_else_one_is_read_from_what_is_on_the_mind(currently: str, goal: str) -> None:
    assert first_goals((), currently, "Ada", 70) == (Goal(text=goal, since=70),)


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("Ben Hollis will bring bread to the soup evening.", True),
        ("Ben Hollis likes soup.", False),
        ("Ada Brook met Ada Brook.", False),
        ("The café is full, and everybody wants to come.", True),
    ],
)
def test_a_memory_concerns_a_goal_when_two_keywords_are_shared(text: str, does: bool) -> None:
    assert concerns(_memory(text), GOAL, "Ada Brook") == does
