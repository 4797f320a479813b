"""Lists in the step loop: right items are kept, and only the others are asked again."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from graphs.loop.state import StepState
from graphs.loop.step import AnyStep
from parsers.answer import Answer
from parsers.reader import Reading


def full_context(step: AnyStep, state: StepState) -> dict[str, Any]:
    """Return what the step's validators know of this call."""
    return {**step.context(state.shown), "choices": dict(step.choices(state.shown))}


def missing_keys(
    step: AnyStep, state: StepState, items: Sequence[BaseModel] | None = None
) -> list[int]:
    """Return the keys of a list answer for which there is no item among those kept, or `items`."""
    answer = step.answer
    if answer.keys_name is None or answer.key_field is None:
        return []
    done = {getattr(item, answer.key_field) for item in (state.kept if items is None else items)}
    asked = full_context(step, state).get(answer.keys_name, ())
    return [key for key in asked if key not in done]


def narrowed(step: AnyStep, state: StepState) -> dict[str, Any]:
    """Return the call's context, held to the items still missing."""
    context = full_context(step, state)
    answer = step.answer
    if state.kept and answer.keys_name is not None:
        missing = missing_keys(step, state)
        context[answer.keys_name] = missing
        context["choices"][f"{answer.items_field}[].{answer.key_field}"] = missing
    return context


def merged(
    step: AnyStep, state: StepState, reading: Reading[Any], *, is_last: bool
) -> tuple[Answer | None, tuple[BaseModel, ...], tuple[str, ...]]:
    """Return the answer, the items kept so far, and the mends.

    Items of a list that were right before are put together with the ones that came now, in the
    order in which they were asked. No cut reply completes an answer: of one that has every item the
    last is asked again. A list whose items have no keys is asked again as a whole; when
    nothing can be asked any more it is taken without the items that are wrong.
    """
    kind = step.answer
    if kind.items_field is None:
        return reading.value, (), reading.mends
    now = getattr(reading.value, kind.items_field) if reading.value is not None else reading.kept
    kept = (*state.kept, *now)
    if _is_cut(state) and kind.keys_name is not None and not missing_keys(step, state, kept):
        kept = (*state.kept, *now[:-1])
    if reading.value is not None and not state.kept:
        return reading.value, kept, reading.mends
    if kind.keys_name is None and not is_last:
        return None, (), reading.mends
    if not kept:
        return None, (), reading.mends
    notes = () if reading.value is not None else ("took only the items that are right",)
    whole = {kind.items_field: [item.model_dump() for item in _in_order(step, state, kept)]}
    try:
        answer = kind.model_validate(whole, context=full_context(step, state))
    except ValidationError:
        return None, kept if kind.keys_name is not None else (), reading.mends
    return answer, kept, (*reading.mends, *notes)


def _is_cut(state: StepState) -> bool:
    """Return True when the reply in hand ended at its length limit."""
    return state.call is not None and state.call.finish == "length"


def _in_order(step: AnyStep, state: StepState, items: tuple[BaseModel, ...]) -> list[BaseModel]:
    """Return the items of a keyed list in the order in which their keys were asked."""
    kind = step.answer
    if kind.keys_name is None or kind.key_field is None:
        return list(items)
    asked = list(full_context(step, state).get(kind.keys_name, ()))
    places = {key: place for place, key in enumerate(asked)}
    field = kind.key_field
    return sorted(items, key=lambda item: places.get(getattr(item, field), len(places)))
