"""Repairs of a step: what is kept of a wrong answer, and what is asked next.

A repair shows the model its wrong answer and what was wrong with it. A small model continues in the
style of what it reads last, so only the beginning of an answer that never ended is shown. In lists,
the right items are kept, and only the others are asked again.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import orjson
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel, ValidationError

from smolville.agents.errors import StoppedError
from smolville.graphs.loop.ledger import Call
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import History, Rules
from smolville.graphs.loop.state import RejectedReply, StepState
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.sense import (
    EVERYWHERE,
    CheckContext,
    SenseVerdict,
    free_texts,
    headings_in,
    judge,
)
from smolville.models.chat import RepairMessage
from smolville.models.tokens import estimate_prompt, estimate_tokens
from smolville.parsers.answer import Answer, Shape, shape_of
from smolville.parsers.problem import SENSE_KINDS
from smolville.parsers.prompt_inputs import PromptInput
from smolville.parsers.reader import ParseResult
from smolville.parsers.reading.turns import own_words
from smolville.prompts.repair import RepairPrompt

SHARE = 4
"""A repair's additions take at most one part in this many of the context."""
USUAL_CONTEXT = 8192
"""Context size in tokens assumed for a model that does not report its own."""
LONGEST = 3000
"""Maximum number of characters shown of a wrong answer: more than any step's right answer has."""
LONGEST_CUT = 400
"""Maximum number of characters shown of a cut answer, which is to be rewritten, not continued."""
LEAST = 40
"""Minimum number of characters for the beginning of an answer to be shown."""
NOT_SHOWN = "(an answer that was too long)"
EMPTY = "(nothing)"


def additions(
    wrongs: Sequence[RejectedReply], history: History, num_ctx: int | None, repair: RepairPrompt
) -> list[BaseMessage]:
    """Return the messages after the prompt: wrong answers and their problems, alternating.

    If not all fit, the oldest are dropped. The last answer is shortened if it alone does not fit.
    """
    if not wrongs:
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


def _last_pair(wrong: RejectedReply, room: int, repair: RepairPrompt) -> list[BaseMessage]:
    """Return the last wrong answer and its problems, shortened to a number of tokens."""
    problems = wrong.problems
    pair = _pair(wrong, problems, LONGEST, repair)
    # Problems are dropped only as far as they leave little room for the answer itself.
    while (
        estimate_prompt(pair) > room
        and len(problems) > 1
        and estimate_prompt([pair[1]]) > room * 3 // 4
    ):
        problems = problems[:-1]
        pair = _pair(wrong, problems, LONGEST, repair)
    if estimate_prompt(pair) <= room:
        return pair
    said = str(pair[0].text)
    spare = room - estimate_prompt(_pair(wrong, problems, 0, repair)) + estimate_tokens(NOT_SHOWN)
    # A beginning may have more tokens a character than the whole; a tenth is left for that.
    share = 0.9 * max(0, spare) / max(1, estimate_tokens(said))
    return _pair(wrong, problems, int(share * len(said)), repair)


def _pair(
    wrong: RejectedReply, problems: Sequence[str], longest: int, repair: RepairPrompt
) -> list[BaseMessage]:
    said = _beginning(wrong.said, min(longest, LONGEST_CUT) if wrong.cut else longest)
    text = repair.text(
        problems,
        cut=wrong.cut,
        missing=wrong.missing,
        shortened=said != wrong.said,
        form=wrong.form,
    )
    return [AIMessage(content=said), RepairMessage(content=text)]


def _beginning(text: str, longest: int) -> str:
    """Return the first `longest` characters of a text, cut between two words if possible."""
    if len(text) <= longest:
        return text
    if longest < LEAST:
        return NOT_SHOWN
    start = text[:longest]
    whole = start.rsplit(maxsplit=1)[0]
    return whole if len(whole) >= longest // 2 else start


def said_by(call: Call) -> str:
    """Return a reply's own words, in the form in which a repair shows them to the model.

    The server's messages, invented turns of others, and the thinking before the answer are left
    out.
    """
    if call.finish == "unreadable":
        return EMPTY
    spoken, _ = own_words(call.reply)
    return spoken.strip() or EMPTY


def read_inputs(state: StepState) -> PromptInput:
    """Return the inputs that the model saw, against which its answer is checked."""
    inputs = state.inputs if state.showing is None else state.showing.inputs
    assert inputs is not None
    return inputs


def full_context(step: AnyStep, state: StepState) -> dict[str, Any]:
    """Return the context that the step's validators get in this call."""
    inputs = read_inputs(state)
    return {**step.context(inputs), "choices": dict(step.choices(inputs))}


def missing_keys(
    step: AnyStep, state: StepState, items: Sequence[BaseModel] | None = None
) -> list[int]:
    """Return the asked keys for which `items` has no item; by default, `items` are those kept."""
    answer = step.answer
    if answer.keys_name is None or answer.key_field is None:
        return []
    done = {getattr(item, answer.key_field) for item in (state.kept if items is None else items)}
    asked = full_context(step, state).get(answer.keys_name, ())
    return [key for key in asked if key not in done]


def narrow_context(step: AnyStep, state: StepState) -> dict[str, Any]:
    """Return the call's context, limited to the items still missing."""
    context = full_context(step, state)
    answer = step.answer
    if state.kept and answer.keys_name is not None:
        missing = missing_keys(step, state)
        context[answer.keys_name] = missing
        context["choices"][f"{answer.items_field}[].{answer.key_field}"] = missing
    return context


def merge_answers(
    step: AnyStep, state: StepState, reading: ParseResult[Any], *, is_last: bool
) -> tuple[Answer | None, tuple[BaseModel, ...], tuple[str, ...]]:
    """Return the answer (None if incomplete), the right items so far, and notes on what was mended.

    Items of a list that were right before are combined with the new ones, in the order asked. A cut
    reply never completes an answer: if it has every item, the last one is asked again. A list whose
    items have no keys is asked again as a whole; after the last attempt it is accepted without its
    wrong items.
    """
    kind = step.answer
    if kind.items_field is None:
        return reading.value, (), reading.mends
    if len(kind.model_fields) > 1:
        return _merge_items(kind, state, reading, is_last=is_last)
    now = getattr(reading.value, kind.items_field) if reading.value is not None else reading.kept
    kept = (*state.kept, *now)
    is_cut = state.call is not None and state.call.finish == "length"
    if is_cut and kind.keys_name is not None and not missing_keys(step, state, kept):
        kept = (*state.kept, *now[:-1])
    if reading.value is not None and not state.kept:
        return reading.value, kept, reading.mends
    if (kind.keys_name is None and not is_last) or not kept:
        return None, (), reading.mends
    notes = () if reading.value is not None else ("took only the items that are right",)
    whole = {kind.items_field: [item.model_dump() for item in _in_order(step, state, kept)]}
    try:
        answer = kind.model_validate(whole, context=full_context(step, state))
    except ValidationError:
        # Items that are right one by one and wrong together are all asked again.
        is_part = kind.keys_name is not None and bool(missing_keys(step, state, kept))
        return None, kept if is_part else (), reading.mends
    return answer, kept, (*reading.mends, *notes)


def _merge_items(
    kind: type[Answer], state: StepState, reading: ParseResult[Any], *, is_last: bool
) -> tuple[Answer | None, tuple[BaseModel, ...], tuple[str, ...]]:
    """Return what `merge_answers` does, for an answer with a list beside other fields.

    An item that was right before is not lost because a repair leaves it out. After the last
    attempt the answer is accepted without the items that are still wrong.
    """
    field = kind.items_field or ""
    now = getattr(reading.value, field) if reading.value is not None else reading.kept
    earlier = [each for each in state.kept if not any(_is_alike(each, one) for one in now)]
    answer = reading.value or (reading.rest if is_last else None)
    if answer is None:
        return None, (*earlier, *now), reading.mends
    most = shape_of(kind).fields[field].most or len(now)
    joined = [*now, *earlier][:most]
    notes = () if reading.value is not None else ("took only the items that are right",)
    if earlier and len(joined) > len(now):
        notes = (*notes, "kept what was right before")
    return answer.model_copy(update={field: joined}), (), (*reading.mends, *notes)


def _is_alike(one: BaseModel, other: BaseModel) -> bool:
    """Return whether two items of a list agree in most of their fields."""
    mine, theirs = one.model_dump(), other.model_dump()
    same = [name for name, value in mine.items() if theirs.get(name) == value]
    return 2 * len(same) > len(mine)


def _in_order(step: AnyStep, state: StepState, items: tuple[BaseModel, ...]) -> list[BaseModel]:
    kind = step.answer
    if kind.keys_name is None or kind.key_field is None:
        return list(items)
    asked = list(full_context(step, state).get(kind.keys_name, ()))
    places = {key: place for place, key in enumerate(asked)}
    field = kind.key_field
    return sorted(items, key=lambda item: places.get(getattr(item, field), len(places)))


def is_in_vain(state: StepState, client: ModelClient) -> bool:
    """Return whether another repair is useless: the last two replies fail the same check of sense.

    A small model that repeats a fault after it was told about it once will repeat it again: of six
    such repairs, a reader found one sensible (docs/reference/small-models.md). False if a stronger
    model may still be asked.
    """
    if client.can_escalate or len(state.readings) < 2:
        return False
    before, last = (set(reading.kinds) & SENSE_KINDS.keys() for reading in state.readings[-2:])
    is_sense = set(state.readings[-1].kinds) <= SENSE_KINDS.keys()
    return is_sense and bool(before & last)


_QUOTED = re.compile(r'"([^"\n]{8,120})"')


def verdict_on(step: AnyStep, state: StepState, answer: Answer, language: str) -> SenseVerdict:
    """Return the verdict of all checks on an answer: the general ones, and those of the step."""
    shown = shown_with(step, state, language)
    return judge((*EVERYWHERE, *step.sense), answer, read_inputs(state), shown)


def shown_with(step: AnyStep, state: StepState, language: str) -> CheckContext:
    """Return what the step's prompt showed besides its inputs."""
    kind: type[Answer] = step.answer
    told, inputs = _told_of(kind), read_inputs(state)
    asked = [str(message.text) for message in state.first]
    examples = [*told.examples, *(_QUOTED.findall(asked[0]) if asked else ())]
    for _, answer in state.showing.all_examples if state.showing else ():
        examples += [text for _, text in free_texts(orjson.loads(answer))]
    return replace(
        told,
        headings=frozenset().union(*(headings_in(text) for text in asked)),
        examples=tuple(examples),
        given="\n".join(text for _, text in free_texts(inputs.model_dump())),
        language=language,
        choices=frozenset(step.choices(inputs)) | told.choices,
    )


@cache
def _told_of(answer: type[Answer]) -> CheckContext:
    """Return what every prompt of a step shows of its answer's type."""
    fields = list(_fields(shape_of(answer)))
    return CheckContext(
        examples=tuple(text for _, text in free_texts(answer.example().model_dump())),
        descriptions=tuple(field.description for _, field in fields if field.description),
        choices=frozenset(path for path, field in fields if field.fixed),
    )


def _fields(shape: Shape, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, field in shape.fields.items():
        yield f"{path}{name}", field
        inner = field.item if field.kind == "list" else field
        if inner is not None and inner.kind == "object":
            yield from _fields(inner, f"{path}{name}{'[].' if field.kind == 'list' else '.'}")


def stop_at_fallback(step: str, state: StepState, rules: Rules) -> None:
    """Raise StoppedError, with the problems of the last reply, if the run is strict."""
    if not rules.strict:
        return
    wrong = " ".join(state.problems) or "no reason known"
    calls = "1 call" if len(state.readings) == 1 else f"{len(state.readings)} calls"
    raise StoppedError(
        f"{state.agent} got no clean answer for the step `{step}` after "
        f"{calls}, and the run is strict. Last problems: {wrong} The same model would stop here "
        "again: go on with another --model"
    )
