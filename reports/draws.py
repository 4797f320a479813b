"""The memories drawn for a dream or an idea, as sentences."""

from collections.abc import Callable

from agents.rare_memories import MemoryDraw
from agents.wording import format_count

_FOR = {"dream": "In sleep", "wander": "Before the day was planned"}


def format_draw(draw: MemoryDraw, text_of: Callable[[str], str]) -> str:
    """Return the memories drawn and how rare they were; `text_of` gives a text by its id."""
    told = "; ".join(
        f"“{text_of(each).rstrip('.')}” ({_alike(size)}, chance {chance:.1%})"
        for each, size, chance in zip(draw.memories, draw.sizes, draw.chances, strict=True)
    )
    groups = format_count(draw.clusters, "group of alike ones", "groups of alike ones")
    return (
        f"{_FOR.get(draw.step, draw.step)} {format_count(len(draw.memories), 'memory', 'memories')}"
        f" of {draw.among:,}, in {groups}, came up by themselves: {told}."
    )


def _alike(size: int) -> str:
    return "one of its kind" if size == 1 else f"one of {size} alike"
