"""A talk as its next speaker sees it: participants, lines so far, and facts about the speaker.

The ready lines are in `talk_lines.toml`.
"""

import re
import tomllib
from collections.abc import Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

from agents.chance import shuffle_items
from agents.memory import for_plans
from agents.wording import join_words
from graphs.concerns import IDEA, THOUGHTS, in_first_person, told_in
from graphs.meeting import is_stranger
from graphs.talk_memories import PastTalk, told_to

if TYPE_CHECKING:
    from graphs.say import SayInput

_PARENTS = {"father": "Dad", "mother": "Mum"}
"""What a child calls a parent."""
LONGEST = 170
"""Maximum number of characters of a fact."""


class TalkView:
    """What the next speaker knows about the talk, and facts to use in it."""

    def __init__(self, inputs: "SayInput", talks: Sequence[PastTalk] = ()) -> None:
        """Store the lines so far, and the contents of the speaker's earlier talks."""
        self.inputs, self.talks = inputs, talks
        self.me, self.lines = inputs.me, inputs.lines
        self.said = [line.text for line in inputs.lines]
        self.last = self.said[-1] if self.said else ""
        known = [name for name in inputs.others if name not in self.strangers]
        self.first = join_words([self.called(name) for name in known or inputs.others])

    @property
    def strangers(self) -> list[str]:
        """The others whom the speaker does not know."""
        told = self.inputs.relationship
        if len(self.inputs.others) == 1:
            return [*self.inputs.others] if is_stranger(told) else []
        return [name for name in self.inputs.others if f"{name}: You do not know" in told]

    def called(self, name: str) -> str:
        """Return how the speaker addresses a person: by first name, or as *Dad* or *Mum*."""
        first, me = re.escape(name.split()[0]), re.escape(self.me.first_name)
        is_parent = rf"\b{first} is {me}'s ({'|'.join(_PARENTS)})\b"
        parent = re.search(is_parent, self.inputs.relationship)
        return _PARENTS[parent[1]] if parent else name.split()[0]

    @cached_property
    def own(self) -> list[str]:
        """The speaker's own lines."""
        return [line.text for line in self.lines if line.speaker == self.me.name]

    @cached_property
    def facts(self) -> list[str]:
        """Facts that the speaker can tell about themselves, in the first person."""
        found = [memory.text for memory in self.inputs.memories if _is_mine(memory.text)]
        for text in (self.me.currently, self.me.learned):
            found += in_first_person(text, self.me)
        return [spoken(each) for each in dict.fromkeys(found) if len(each) <= LONGEST]

    def phrases(self, *uses: str, **about: str) -> list[str]:
        """Return the ready lines for some purposes, in a different random order in each turn."""
        rows = [
            each.format(**{"other": self.first, **about})
            for use in uses
            for each in ready_lines()[use]
        ]
        rows = [row for row in rows if not any(row in line for line in self.said)] or rows
        return shuffle_items(rows, self.me.name, self.inputs.now, len(self.lines))

    @property
    def have_met_today(self) -> bool:
        """Whether the speaker has already talked with the others today."""
        return "today " in self.inputs.relationship.partition("You talked ")[2]

    @property
    def everybody(self) -> tuple[str, ...]:
        """The names of all who talk."""
        return (self.me.name, *self.inputs.others)

    def doing_of(self, name: str) -> str:
        """Return a person's activity before the talk, `baking bread`; empty if it is unknown."""
        doing = self.inputs.doing.partition(f"{name} was ")[2].partition(".")[0]
        return doing if doing.split(" ")[0].endswith("ing") else ""

    def is_going(self) -> bool:
        """Return whether the speaker has agreed to go to an event."""
        return any(self.is_plan_to_go(memory.text) for memory in self.inputs.memories)

    def is_plan_to_go(self, memory: str) -> bool:
        """Return whether a memory records that the speaker has agreed to go to an event."""
        return memory.startswith(f"{for_plans(self.me.name)}{self.me.name} goes to ")

    @cached_property
    def known(self) -> list[str]:
        """The facts told in this talk or in an earlier talk with this person."""
        known = [told_in(self.inputs.relationship.partition("You talked ")[2])]
        told = [each for name in self.inputs.others for each in self.known_to(name)]
        return [*self.said, *known, *told]

    def known_to(self, name: str) -> list[str]:
        """Return the facts told in earlier talks with one of the others."""
        theirs = [memory.text for memory in self.inputs.memories if name in memory.text]
        known = [told_in(text) for text in theirs if not text.startswith("I ")]
        return [*known, *told_to(name, self.talks)]


@cache
def ready_lines() -> dict[str, list[str]]:
    """Return the ready lines by purpose."""
    text = files("graphs.activities").joinpath("talk_lines.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def spoken(fact: str) -> str:
    """Return a fact as it is said aloud: with dates that have no year."""
    return re.sub(r"(\b\d{1,2}(?:st|nd|rd|th)), (?:19|20)\d\d\b", r"\1", fact)


def _is_mine(text: str) -> bool:
    """Return whether a memory is a fact about its owner, and not a mere thought."""
    is_own = text.startswith(("I ", "My ")) and "…" not in text
    return is_own and not IDEA.match(text) and not text.startswith(THOUGHTS)
