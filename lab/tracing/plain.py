"""A tree as plain data with stable keys, and a tree narrowed to one step."""

from dataclasses import replace
from typing import Any

from agents.errors import SettingError
from lab.moments.wanted import nearest_of
from lab.tracing.span import Span


def plain(span: Span) -> dict[str, Any]:
    """Return a span and all beneath it as plain data; times are epoch seconds."""
    return {
        "name": span.name,
        "kind": span.kind,
        "id": span.id,
        "start": span.start,
        "end": span.end,
        "milliseconds": round(span.milliseconds, 3),
        "inputs": span.inputs,
        "outputs": span.outputs,
        "metadata": span.metadata,
        "tags": list(span.tags),
        "error": span.error,
        "children": [plain(each) for each in span.children],
    }


def narrowed(span: Span, step: str) -> Span:
    """Return a thought or talk with its uses of one step only; SettingError names the nearest."""
    kept = tuple(each for each in span.children if each.name == step)
    if kept:
        return replace(span, children=kept)
    names = dict.fromkeys(each.name for each in span.children)
    if not names:
        raise SettingError(f"{span.name!r} took no step.")
    raise SettingError(
        f"{span.name!r} took no step {step!r}; did you mean {nearest_of(step, names)}? "
        f"All: {', '.join(names)}."
    )
