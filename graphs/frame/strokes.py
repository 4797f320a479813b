"""The broad strokes of a day: its fixed blocks, and the purpose of each part around them."""

from agents.plan import Block, is_sleep
from agents.times import DAY
from graphs.frame.day import DUTY, PROMISE, gaps
from parsers.plan_day import DayOutline

PARTS = (("morning", 0), ("afternoon", 720), ("evening", 1080))
"""The parts of a day, with the minute at which each begins."""


def broad_strokes(
    blocks: tuple[Block, ...], outline: DayOutline, *, is_thought: bool
) -> tuple[tuple[int, str], ...]:
    """Return the broad strokes: waking, promises, work, and the purpose of each part of the day.

    Texts of a fallback are left out, since no mind produced them.
    """
    kept = {block.start: block.activity for block in blocks if block.source in (PROMISE, DUTY)}
    free = [block.start for block in gaps(blocks)]
    strokes = {outline.wake: blocks[1].activity}
    for start, activity in kept.items():
        if activity not in strokes.values():
            strokes[start] = activity
    for part, (name, first) in enumerate(PARTS if is_thought else ()):
        last = PARTS[part + 1][1] if part + 1 < len(PARTS) else DAY
        within = [start for start in free if first <= start < last and start not in strokes]
        start = within[0] if within else max(first, outline.wake + 30)
        while start in strokes:
            start += 15
        strokes[start] = getattr(outline, name)
    bed = next(block for block in reversed(blocks) if is_sleep(block.activity))
    strokes[bed.start] = "going to bed"
    return tuple(sorted(strokes.items()))
