"""What a repair adds to a prompt: wrong answers, what was wrong with them, in little room.

A small model goes on in the manner of what it reads last. So an answer that ran on and on is shown
by its beginning only, whoever says so is the human message and not the answer itself, and what a
repair adds never crowds out the question.

Of a list, the right items are kept, and only the others are asked again.
"""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import BaseModel, ValidationError

from graphs.cards import Card
from graphs.loop.ledger import Call
from graphs.loop.rules import History
from graphs.loop.state import StepState, Wrong
from graphs.loop.step import AnyStep
from models.tokens import estimate_prompt, estimate_tokens
from parsers.answer import Answer
from parsers.reader import Reading
from parsers.reading.turns import own_words
from prompts.repair import RepairPrompt

SHARE = 4
"""Of the context, a repair's additions take at most one part of so many."""
USUAL_CONTEXT = 8192
"""Taken for a model that does not tell its own."""
LONGEST = 3000
"""Characters of a wrong answer shown: more than a right answer of any step has."""
LONGEST_CUT = 400
"""Characters shown of one that was cut: it is to be written anew, not to be gone on with."""
LEAST = 40
"""Characters below which a beginning tells nothing."""
NOT_SHOWN = "(an answer that was too long)"
EMPTY = "(nothing)"


def additions(
    wrongs: Sequence[Wrong], history: History, num_ctx: int | None, repair: RepairPrompt
) -> list[BaseMessage]:
    """Return what follows the prompt: wrong answers and their problems, taking turns.

    The oldest give way when there is no room for all; the last one's answer is then shortened.
    """
    if history == "none" or not wrongs:
        return []
    room = (num_ctx or USUAL_CONTEXT) // SHARE
    pairs = [_last_pair(wrongs[-1], room, repair)]
    room -= estimate_prompt(pairs[0])
    earlier = wrongs[:-1] if history == "full" else ()
    for wrong in reversed(earlier):
        pair = _pair(wrong, wrong.problems, LONGEST, repair)
        room -= estimate_prompt(pair)
        if room < 0:
            break
        pairs.append(pair)
    return [message for pair in reversed(pairs) for message in pair]


def _last_pair(wrong: Wrong, room: int, repair: RepairPrompt) -> list[BaseMessage]:
    """Return the last wrong answer and its problems, shortened to the room there is."""
    pair = _pair(wrong, wrong.problems, LONGEST, repair)
    problems = wrong.problems
    while estimate_prompt(pair) > room and len(problems) > 1 and _too_long(pair[1], room):
        problems = problems[:-1]
        pair = _pair(wrong, problems, LONGEST, repair)
    if estimate_prompt(pair) <= room:
        return pair
    said = str(pair[0].text)
    spare = room - estimate_prompt(_pair(wrong, problems, 0, repair)) + estimate_tokens(NOT_SHOWN)
    # A beginning may have more tokens a character than the whole; a tenth is left for that.
    share = 0.9 * max(0, spare) / max(1, estimate_tokens(said))
    return _pair(wrong, problems, int(share * len(said)), repair)


def _too_long(problems: BaseMessage, room: int) -> bool:
    """Return True when the problems alone leave little room for the answer they are about."""
    return estimate_prompt([problems]) > room * 3 // 4


def _pair(
    wrong: Wrong, problems: Sequence[str], longest: int, repair: RepairPrompt
) -> list[BaseMessage]:
    """Return a wrong answer of at most so many characters, and the message about it."""
    if wrong.cut:
        longest = min(longest, LONGEST_CUT)
    said = _beginning(wrong.said, longest)
    text = repair.text(problems, cut=wrong.cut, missing=wrong.missing, shortened=said != wrong.said)
    return [AIMessage(content=said), HumanMessage(content=text)]


def _beginning(text: str, longest: int) -> str:
    """Return a text of at most so many characters, ended between two words where it can be."""
    if len(text) <= longest:
        return text
    if longest < LEAST:
        return NOT_SHOWN
    start = text[:longest]
    whole = start.rsplit(maxsplit=1)[0]
    return whole if len(whole) >= longest // 2 else start


def shown(state: StepState) -> Card:
    """Return the inputs as the model saw them: what its answer is held to."""
    inputs = state.inputs if state.showing is None else state.showing.inputs
    assert inputs is not None
    return inputs


def full_context(step: AnyStep, state: StepState) -> dict[str, Any]:
    """Return what the step's validators know of this call."""
    inputs = shown(state)
    return {**step.context(inputs), "choices": dict(step.choices(inputs))}


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


def said_by(call: Call) -> str:
    """Return what the model said, as it is shown to it again.

    Never the server's own words, not what was thought aloud before, which is long, differs each
    time and is no part of the answer, and not the turns of others that it went on to invent.
    """
    if call.finish == "unreadable":
        return EMPTY
    spoken, _ = own_words(call.reply)
    return spoken.strip() or EMPTY
