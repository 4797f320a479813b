"""Goals of people: the memories that concern them, and how they were revised."""

import re
from calendar import month_name
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from smolville.agents.habits import WEEKDAYS
from smolville.agents.keywords import keywords_of
from smolville.agents.memory import Memory

MOST_GOALS = 3
SHARED = 2
"""Minimum number of keywords that a memory must share with a goal to concern it."""
_DATES = frozenset(name.casefold() for name in (*WEEKDAYS, *month_name))
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_PRONOUN = re.compile(r"^(?:She|He) ")
_WANTS = re.compile(
    r"\b(?:wants?|wishes|hopes?|plans?|means? to|looks? for|looking for|tries|trying|getting ready"
    r"|is going to|works? on|working on|writing|saves? for|saving)\b",
    re.IGNORECASE,
)
"""Words that show that a sentence states somebody's aim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One goal of a person."""

    text: str
    since: int = 0
    """Town second since which the person has had this goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalChange:
    """A revision of a goal: the difference, and the reason."""

    at: int
    kind: Literal["done", "changed", "new"]
    before: str
    """The goal before the revision; empty for a new goal."""
    after: str
    """The goal after the revision; empty for a goal that is done."""
    because: tuple[str, ...] = ()
    """Ids of the memories that caused the revision."""
    reason: str = ""


def first_goals(
    asked: Iterable[str], currently: str, first_name: str, at: int = 0
) -> tuple[Goal, ...]:
    """Return somebody's goals: those in the persona file, or else one from `currently`.

    The goal from `currently` is its first sentence that states an aim, or else its first sentence.
    A pronoun at the start of this sentence is replaced by the person's name.
    """
    texts = [" ".join(each.split()) for each in asked if each.strip()]
    if not texts:
        sentences = [each for each in _SENTENCE.split(" ".join(currently.split())) if each]
        told = [each for each in sentences if _WANTS.search(each)][:1] or sentences[:1]
        texts = [_PRONOUN.sub(f"{first_name} ", each) for each in told]
    return tuple(Goal(text=text, since=at) for text in texts[:MOST_GOALS])


def goals_line(goals: Iterable[Goal]) -> str:
    """Return goals on one line, as prompts show them; empty if there are none."""
    return " ".join(goal.text for goal in goals)


def concerns(memory: Memory, goal: Goal, own_name: str) -> bool:
    """Return True when a memory is about the same subject as a goal.

    Its owner's name and the names of days and months say nothing of the subject.
    """
    own = {part.casefold() for part in own_name.split()} | {own_name.casefold()} | _DATES
    said, wanted = (
        {word.casefold() for word in keywords_of(text)} - own for text in (memory.text, goal.text)
    )
    return len(said & wanted) >= SHARED
