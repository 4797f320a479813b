"""What the tests ask of every plan of a day."""

from collections.abc import Sequence

from smolville.agents.plan import Block


def covers_day(blocks: Sequence[Block]) -> bool:
    """Whether the blocks cover the day in order, without gap or overlap."""
    ends = [0, *(block.end for block in blocks)]
    starts = [*(block.start for block in blocks), 1440]
    return starts == ends and all(block.minutes > 0 for block in blocks)
