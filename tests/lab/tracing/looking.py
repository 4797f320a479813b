"""What the tests of traces look for in a tree."""

from smolville.history.reader import RunReader
from smolville.history.thoughts import StepView
from smolville.lab.tracing.span import Span, SpanContext
from tests.lab.tracing.conftest import everything


def of_kind(root: Span, kind: str) -> list[Span]:
    """The spans of a kind in a tree."""
    return [each for each in everything(root) if each.kind == kind]


def placed(reader: RunReader, root: Span) -> tuple[SpanContext, StepView]:
    """Where a thought's repaired step belongs, and the step."""
    told = root.metadata
    thought = reader.thought(told["agent"], told["tick"])
    assert thought is not None
    view = next(each for each in thought.steps if each.record.outcome == "repaired")
    place = SpanContext(
        spec=reader.spec,
        owner=told["agent"],
        tick=told["tick"],
        agent=told["agent"],
        step=view.record.step,
        ordinal=view.record.ordinal,
    )
    return place, view


def nested_and_in_order(trees: list[Span]) -> None:
    """Fails where a bar leaves the one above it, or begins before the one before it ends."""
    for tree in trees:
        for span in everything(tree):
            edge = span.start
            for child in span.children:
                assert edge <= child.start <= child.end <= span.end
                edge = child.end
