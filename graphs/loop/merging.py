"""Lists in the step loop: right items are kept, and only the others are asked again."""

from typing import Any

from pydantic import BaseModel, ValidationError

from graphs.loop.asked import Asking
from parsers.answer import Answer
from parsers.reader import Reading


def full_context(state: Asking) -> dict[str, Any]:
    """Return what the step's validators know of this call."""
    step = state.step
    return {**step.context(state.inputs), "choices": dict(step.choices(state.inputs))}


def missing_keys(state: Asking) -> list[int]:
    """Return the keys of a list answer for which no item is right yet."""
    answer = state.step.answer
    if answer.keys_name is None or answer.key_field is None:
        return []
    done = {getattr(item, answer.key_field) for item in state.kept}
    asked = full_context(state).get(answer.keys_name, ())
    return [key for key in asked if key not in done]


def narrowed(state: Asking) -> dict[str, Any]:
    """Return the call's context, held to the items still missing."""
    context = full_context(state)
    answer = state.step.answer
    if state.kept and answer.keys_name is not None:
        missing = missing_keys(state)
        context[answer.keys_name] = missing
        context["choices"][f"{answer.items_field}[].{answer.key_field}"] = missing
    return context


def merged(
    state: Asking, reading: Reading[Any]
) -> tuple[Answer | None, tuple[BaseModel, ...], tuple[str, ...]]:
    """Return the answer, the items kept so far, and the mends.

    Items of a list that were right before are put together with the ones that came now. A list
    whose items have no keys is taken without the ones that are wrong, or asked again as a whole.
    """
    kind = state.step.answer
    if kind.items_field is None:
        return reading.value, (), reading.mends
    now = getattr(reading.value, kind.items_field) if reading.value is not None else reading.kept
    kept = (*state.kept, *now)
    if reading.value is not None and not state.kept:
        return reading.value, kept, reading.mends
    if not kept:
        return None, (), reading.mends
    notes = () if reading.value is not None else ("took only the items that are right",)
    whole = {kind.items_field: [item.model_dump() for item in kept]}
    try:
        answer = kind.model_validate(whole, context=full_context(state))
    except ValidationError:
        return None, kept if kind.keys_name is not None else (), reading.mends
    return answer, kept, (*reading.mends, *notes)
