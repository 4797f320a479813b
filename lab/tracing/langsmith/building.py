"""Builds the trees that are wanted, out of a run's history."""

from hashlib import blake2b

from agents.times import clock
from lab.tracing.langsmith.choosing import HOUR, Wanted
from lab.tracing.naming import SPAN_DIGITS
from lab.tracing.span import Span
from lab.tracing.tree import hour_span, talk_span, thought_span
from world.runs.reader import RunReader


def tree_of(reader: RunReader, wanted: Wanted) -> Span | None:
    """Return a tree, None when the history has none there."""
    if wanted.kind == "talk":
        return talk_span(reader, wanted.owner)
    if wanted.kind == "thought":
        return thought_span(reader, wanted.owner, wanted.number)
    return _hour(reader, wanted.owner, wanted.number)


def _hour(reader: RunReader, agent: str, hour: int) -> Span | None:
    """Return an agent's thoughts of one town hour, under one root."""
    seconds = reader.spec.tick_seconds
    first, last = -(-hour * HOUR // seconds), -(-(hour + 1) * HOUR // seconds) - 1
    thoughts = (
        thought_span(reader, agent, row.tick) for row in reader.thoughts(agent, first, last)
    )
    spans = [each for each in thoughts if each is not None]
    if not spans:
        return None
    key = f"{reader.spec.name}\0{reader.spec.created}\0{agent}\0hour\0{hour}"
    digits = blake2b(key.encode(), digest_size=SPAN_DIGITS // 2).hexdigest()
    return hour_span(f"{agent} · {clock(hour % 24 * 60)}", spans, id=digits)
