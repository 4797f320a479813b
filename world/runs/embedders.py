"""Which embedder made a run's memories: what their collection says of it, and when it is another.

A collection that is made beside the one in force bears a mark from its beginning until everything
is done. So another embedder's collection with a mark was never in force, and may be dropped.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Mark:
    """What a re-embedding writes on the collection it makes."""

    id: str
    """Of the intervention that records it."""
    text: str
    """From which embedder to which: `words -> ollama:nomic-embed-text`."""


@dataclass(frozen=True, slots=True)
class MadeBy:
    """An embedder by its name, and how many numbers it gives a text."""

    name: str
    dimension: int
    mark: Mark | None = None

    def cells(self) -> dict[str, str | int]:
        """Return this as a collection's metadata."""
        plain: dict[str, str | int] = {"embedder": self.name, "dimension": self.dimension}
        return plain | ({"mark": self.mark.id, "mark_text": self.mark.text} if self.mark else {})


def made_by(cells: Mapping[str, Any] | None) -> MadeBy:
    """Return the embedder that a collection's metadata names."""
    known = cells or {}
    mark = Mark(str(known["mark"]), str(known.get("mark_text", ""))) if "mark" in known else None
    dimension = known.get("dimension")
    return MadeBy(
        str(known.get("embedder", "")), dimension if isinstance(dimension, int) else 0, mark
    )


def refusal(run: str, made: MadeBy, asked: MadeBy) -> str:
    """Return why a run's memories cannot be read with an embedder, and what to do about it."""
    if made.name == asked.name:
        why = (
            f"the model behind {asked.name!r} was changed: it gives {asked.dimension} numbers a "
            f"text, and gave {made.dimension} when the memories of run {run!r} were embedded; give "
            "it the former one again"
        )
    else:
        why = (
            f"the memories of run {run!r} were embedded by {made.name!r} ({made.dimension} numbers "
            f"a text), not by {asked.name!r} ({asked.dimension}); ask for that embedder"
        )
    return (
        f"{why}, or have every text embedded again: "
        f"`smolville reembed {run} --embedder {asked.name}`"
    )
