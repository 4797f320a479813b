"""What a repair adds to a prompt: wrong answers, what was wrong with them, in little room.

A small model goes on in the manner of what it reads last. So an answer that ran on and on is shown
by its beginning only, whoever says so is the human message and not the answer itself, and what a
repair adds never crowds out the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from graphs.loop.rules import History
from models.tokens import estimate_prompt, estimate_tokens
from prompts.repair import RepairPrompt

SHARE = 4
"""Of the context, a repair's additions take at most one part of so many."""
USUAL_CONTEXT = 8192
"""Taken for a model that does not tell its own."""
LONGEST = 3000
"""Characters of a wrong answer shown: more than a right answer of any step has."""
LONGEST_CUT = 400
"""Characters shown of one that was cut: it is to be written anew, not to be gone on with."""
LEAST = 40
"""Characters below which a beginning tells nothing."""
NOT_SHOWN = "(an answer that was too long)"
EMPTY = "(nothing)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """A reply that was not accepted."""

    said: str
    problems: tuple[str, ...]
    """Full sentences, the most important first."""
    cut: bool
    """True when the reply ended at its length limit."""
    missing: str | None = None
    """Of a list whose right items are kept, the numbers still needed."""


def additions(
    wrongs: Sequence[Wrong], history: History, num_ctx: int | None, repair: RepairPrompt
) -> list[BaseMessage]:
    """Return what follows the prompt: wrong answers and their problems, taking turns.

    The oldest give way when there is no room for all; the last one's answer is then shortened.
    """
    if history == "none" or not wrongs:
        return []
    room = (num_ctx or USUAL_CONTEXT) // SHARE
    pairs = [_last_pair(wrongs[-1], room, repair)]
    room -= estimate_prompt(pairs[0])
    earlier = wrongs[:-1] if history == "full" else ()
    for wrong in reversed(earlier):
        pair = _pair(wrong, wrong.problems, LONGEST, repair)
        room -= estimate_prompt(pair)
        if room < 0:
            break
        pairs.append(pair)
    return [message for pair in reversed(pairs) for message in pair]


def _last_pair(wrong: Wrong, room: int, repair: RepairPrompt) -> list[BaseMessage]:
    """Return the last wrong answer and its problems, shortened to the room there is."""
    pair = _pair(wrong, wrong.problems, LONGEST, repair)
    problems = wrong.problems
    while estimate_prompt(pair) > room and len(problems) > 1 and _too_long(pair[1], room):
        problems = problems[:-1]
        pair = _pair(wrong, problems, LONGEST, repair)
    if estimate_prompt(pair) <= room:
        return pair
    said = str(pair[0].text)
    spare = room - estimate_prompt(_pair(wrong, problems, 0, repair)) + estimate_tokens(NOT_SHOWN)
    # A beginning may have more tokens a character than the whole; a tenth is left for that.
    share = 0.9 * max(0, spare) / max(1, estimate_tokens(said))
    return _pair(wrong, problems, int(share * len(said)), repair)


def _too_long(problems: BaseMessage, room: int) -> bool:
    """Return True when the problems alone leave little room for the answer they are about."""
    return estimate_prompt([problems]) > room * 3 // 4


def _pair(
    wrong: Wrong, problems: Sequence[str], longest: int, repair: RepairPrompt
) -> list[BaseMessage]:
    """Return a wrong answer of at most so many characters, and the message about it."""
    if wrong.cut:
        longest = min(longest, LONGEST_CUT)
    said = _beginning(wrong.said, longest)
    text = repair.text(problems, cut=wrong.cut, missing=wrong.missing, shortened=said != wrong.said)
    return [AIMessage(content=said), HumanMessage(content=text)]


def _beginning(text: str, longest: int) -> str:
    """Return a text of at most so many characters, ended between two words where it can be."""
    if len(text) <= longest:
        return text
    if longest < LEAST:
        return NOT_SHOWN
    start = text[:longest]
    whole = start.rsplit(maxsplit=1)[0]
    return whole if len(whole) >= longest // 2 else start
