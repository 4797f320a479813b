"""What an edit changes about a text, as runs of lines that stayed, went and came."""

import difflib
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["same", "gone", "new"]
MOST = 4_000
"""Lines that are compared one by one; of a longer text only its ends are."""


class Run(NamedTuple):
    """Lines that stand together."""

    kind: Kind
    text: str


def changes(before: str, after: str) -> list[Run]:
    """Return both texts as one: what only the first has is gone, what only the second has new."""
    one, other = before.split("\n"), after.split("\n")
    if max(len(one), len(other)) > MOST:
        return list(_by_ends(one, other))
    found: list[Run] = []
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    for kind, from_, to, from_other, to_other in matcher.get_opcodes():
        if kind == "equal":
            found.append(Run("same", "\n".join(one[from_:to])))
            continue
        found += _changed(one[from_:to], other[from_other:to_other])
    return found


def _by_ends(one: list[str], other: list[str]) -> Iterator[Run]:
    """Yield what two long texts begin and end with alike, and all between as changed."""
    least = min(len(one), len(other))
    head = next((n for n in range(least) if one[n] != other[n]), least)
    left = least - head
    tail = next((n for n in range(left) if one[-1 - n] != other[-1 - n]), left)
    if head:
        yield Run("same", "\n".join(one[:head]))
    yield from _changed(one[head : len(one) - tail], other[head : len(other) - tail])
    if tail:
        yield Run("same", "\n".join(one[len(one) - tail :]))


def _changed(gone: list[str], new: list[str]) -> Iterator[Run]:
    if gone:
        yield Run("gone", "\n".join(gone))
    if new:
        yield Run("new", "\n".join(new))
