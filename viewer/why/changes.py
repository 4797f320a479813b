"""The difference between two texts, as runs of unchanged, removed and added lines."""

import difflib
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["same", "gone", "new"]
MOST = 4_000
"""Maximum number of lines compared one by one; for longer texts, only the ends are compared."""


class DiffRun(NamedTuple):
    """Consecutive lines of the same kind."""

    kind: Kind
    text: str


def changes(before: str, after: str) -> list[DiffRun]:
    """Return both texts merged: lines only in the first are `gone`, only in the second `new`."""
    one, other = before.split("\n"), after.split("\n")
    if max(len(one), len(other)) > MOST:
        return list(_by_ends(one, other))
    found: list[DiffRun] = []
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    for kind, from_, to, from_other, to_other in matcher.get_opcodes():
        if kind == "equal":
            found.append(DiffRun("same", "\n".join(one[from_:to])))
            continue
        found += _changed(one[from_:to], other[from_other:to_other])
    return found


def _by_ends(one: list[str], other: list[str]) -> Iterator[DiffRun]:
    """Yield the common beginning and end of two long texts, and everything between as changed."""
    least = min(len(one), len(other))
    head = next((n for n in range(least) if one[n] != other[n]), least)
    left = least - head
    tail = next((n for n in range(left) if one[-1 - n] != other[-1 - n]), left)
    if head:
        yield DiffRun("same", "\n".join(one[:head]))
    yield from _changed(one[head : len(one) - tail], other[head : len(other) - tail])
    if tail:
        yield DiffRun("same", "\n".join(one[len(one) - tail :]))


def _changed(gone: list[str], new: list[str]) -> Iterator[DiffRun]:
    if gone:
        yield DiffRun("gone", "\n".join(gone))
    if new:
        yield DiffRun("new", "\n".join(new))
