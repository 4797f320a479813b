"""Say the next line of a talk, or end it."""

from typing import Any

from graphs.cards import Card, Recalled, Said, Who
from graphs.loop.step import Step
from parsers.say import Utterance


class SayInput(Card):
    """What the prompt `say` shows."""

    me: Who
    """The speaker."""
    now: str
    place: str
    others: tuple[str, ...]
    """To whom I speak."""
    doing: str
    """What I was doing, and what they were doing."""
    relationship: str
    """What we are to each other, and what I feel."""
    reason: str
    """Why I began the talk; empty for the one spoken to."""
    memories: tuple[Recalled, ...]
    """About them and about what was said."""
    lines: tuple[Said, ...]
    """So far; empty when I speak first."""
    turns_left: int
    """How many lines may still be said, this one included."""


def context(inputs: SayInput) -> dict[str, Any]:
    """Return the speaker's name, which is no part of what is said."""
    return {"name": inputs.me.name}


def fallback(inputs: SayInput) -> Utterance:
    """Return a short word that ends the talk, so that nobody waits for an answer."""
    return Utterance(text="I have to go on now. See you.", ends=True)


def case(inputs: SayInput) -> str:
    """Return this case as examples are told."""
    known = " / ".join(memory.text for memory in inputs.memories[:2]) or "nothing new"
    said = " / ".join(f"{line.speaker}: {line.text}" for line in inputs.lines[-3:])
    return (
        f"With {' and '.join(inputs.others)}. Between you: {inputs.relationship}\n"
        f"MEMORIES: {known}\nTALK: {said or 'nobody has spoken yet'}"
    )


STEP = Step(
    name="say",
    inputs=SayInput,
    answer=Utterance,
    fallback=fallback,
    context=context,
    tier="strong",
    temperature=0.9,
    max_tokens=260,
    case=case,
    sheds=("memories", "lines"),
)
