"""A tree's bars: nested and in order, whatever the history does not know."""

from dataclasses import replace

import pytest

from smolville.history.reader import RunReader
from smolville.lab.tracing.span import Span
from smolville.lab.tracing.steps import step_span
from tests.lab.tracing.looking import nested_and_in_order, of_kind, placed


def test_bars_are_nested_and_in_order(trees: list[Span]) -> None:
    nested_and_in_order(trees)


def test_times_are_the_historys(reader: RunReader, repaired: Span) -> None:
    thought = reader.thought(repaired.metadata["agent"], repaired.metadata["tick"])
    assert thought is not None
    assert repaired.start == thought.row.started
    assert repaired.milliseconds == pytest.approx(thought.row.milliseconds, abs=1.0)
    for span, view in zip(repaired.children, thought.steps, strict=True):
        models = of_kind(span, "model")
        for model, attempt in zip(models, view.attempts, strict=True):
            assert model.milliseconds == pytest.approx(attempt.call.milliseconds, abs=1.0)
            assert model.start >= attempt.call.started - 1e-6


def test_unknown_times_leave_the_tree_well_formed(reader: RunReader, repaired: Span) -> None:
    place, view = placed(reader, repaired)
    attempts = tuple(replace(each, call=replace(each.call, started=0.0)) for each in view.attempts)
    nothing = replace(view.record, started=0.0, milliseconds=0.0)
    for record in (view.record, nothing):
        span = step_span(place, replace(view, record=record, attempts=attempts), 0.0)
        nested_and_in_order([span])
        assert len(of_kind(span, "model")) == len(view.attempts)
    spent = sum(each.call.milliseconds for each in view.attempts)
    assert span.milliseconds >= spent


def test_a_call_from_the_journal_takes_no_time(reader: RunReader, repaired: Span) -> None:
    place, view = placed(reader, repaired)
    first, *rest = view.attempts
    before = replace(first.call, started=first.call.started - 3600.0, milliseconds=60_000.0)
    span = step_span(
        place, replace(view, attempts=(replace(first, call=before), *rest)), view.record.started
    )
    nested_and_in_order([span])
    served, asked = of_kind(span, "model")[:2]
    assert (served.metadata["source"], served.milliseconds) == ("journal", 0.0)
    assert served.metadata["model_ms"] == 60_000.0
    assert (asked.metadata["source"], span.milliseconds < 60_000.0) == ("model", True)


def test_waiting_for_a_slot_stands_before_the_models_work(
    reader: RunReader, repaired: Span
) -> None:
    place, view = placed(reader, repaired)
    record = replace(view.record, milliseconds=view.record.milliseconds + 5_000.0)
    last = of_kind(step_span(place, replace(view, record=record), 0.0), "attempt")[-1]
    assert last.metadata["waited_ms"] > 4_000.0
    model, parse = last.children
    assert (model.end, parse.end) == (parse.start, last.end)
    assert model.start - last.start == pytest.approx(last.metadata["waited_ms"] / 1000.0, abs=1e-3)
