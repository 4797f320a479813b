"""Leave out what a model thought aloud before its answer."""

import re

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
THOUGHT = re.compile(rf"<(?:(?P<end>/)?(?:{_NAMES}))>|\[(?P<last>/)?THINK\]", re.IGNORECASE)
"""A tag at which a thought begins or ends."""

Spoken = tuple[str, tuple[str, ...]]
"""What a reply says, and a note if something was left out."""


def without_thoughts(text: str) -> Spoken:
    """The reply without what the model thought aloud, and a note if it did.

    A thought without a start began with the reply; one without an end lasts to its end.
    """
    parts: list[str] = []
    position: int | None = 0
    tag = None
    for tag in THOUGHT.finditer(text):
        ends = tag["end"] or tag["last"]
        if not ends and position is not None:
            parts.append(text[position : tag.start()])
            position = None
        elif ends:
            parts = [] if position is not None else parts
            position = tag.end()
    if tag is None:
        return text, ()
    if position is not None:
        parts.append(text[position:])
    return " ".join(parts), ("left out a thought before the answer",)


def is_thought(text: str) -> bool:
    """Whether a reply has thoughts in it and nothing else."""
    spoken, notes = without_thoughts(text)
    return bool(notes) and not spoken.strip()
