"""Training rows in the chat formats that TRL reads: a prompt and how to answer it.

A row's prompt is always the first question, since the model is to learn the answer that needs no
repair. Its answer is the accepted one as the answer type writes it, not the raw reply: chatter,
code fences and thinking are not to be learnt, and when the items of a list came over several
repairs, no single reply holds the whole list.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from smolville.history.thoughts import RecordedAttempt
from smolville.lab.moments.moment import Moment
from smolville.parsers.reading.turns import own_words

Row = dict[str, Any]
LeftOut = Counter[str]
"""Number of moments or replies left out of the rows, by reason; each reason continues a
sentence."""

FALLBACK = "that ended in a fallback: no answer was accepted"
ODD = "that are odd, a check says: --with-odd takes their answers all the same"
CLEAN = "answered well at once: there is no bad answer"
MENDED = "mended in code: --mended takes the replies as they were"
SERVER = "bad replies that their server could not read: what it says is no reply"
EMPTY = "bad replies that were empty"
SAME = "mended replies that say the same, but for thinking or spaces"
TWICE = "bad replies that came twice for the same moment"


def sft_rows(
    moments: Iterable[Moment], left_out: LeftOut, *, with_odd: bool = False
) -> Iterator[Row]:
    """Yield a prompt and its completion for each moment to whose answer no check objects.

    With `with_odd`, answers to which a check objects are included.
    """
    for moment in moments:
        if reason := _no_example(moment, with_odd=with_odd):
            left_out[reason] += 1
        else:
            answer = _said(_remove_surrogates(moment.record.answer))
            yield {"prompt": _prompt(moment), "completion": answer, **_columns(moment)}


def dpo_rows(
    moments: Iterable[Moment],
    left_out: LeftOut,
    *,
    with_mended: bool = False,
    with_odd: bool = False,
) -> Iterator[Row]:
    """Yield a row for each reply that was not accepted: the accepted answer and this reply.

    With `with_mended`, a reply that was mended in code counts as not accepted; such rows teach
    form, not sense. With `with_odd`, an accepted answer may contain something that makes no sense.
    """
    for moment in moments:
        if reason := _no_example(moment, with_odd=with_odd):
            left_out[reason] += 1
        elif moment.outcome == "clean":
            left_out[CLEAN] += 1
        elif moment.outcome == "mended" and not with_mended:
            left_out[MENDED] += 1
        else:
            yield from _pairs(moment, left_out, with_mended=with_mended)


def problem_of(attempt: RecordedAttempt) -> str:
    """Return the problems of a reply in sentences, or else what was mended in it."""
    reading = attempt.reading
    if reading is None:
        return ""
    if reading.problems:
        return " ".join(reading.problems)
    return f"Mended: {'; '.join(reading.mends)}." if reading.mends else ""


def _no_example(moment: Moment, *, with_odd: bool) -> str:
    """Return the reason why an answer is not a good example; empty when it is one."""
    if moment.outcome == "fallback":
        return FALLBACK
    return ODD if moment.record.odd and not with_odd else ""


def _pairs(moment: Moment, left_out: LeftOut, *, with_mended: bool) -> Iterator[Row]:
    chosen = _remove_surrogates(moment.record.answer)
    seen: set[str] = set()
    for attempt in moment.attempts:
        reading = attempt.reading
        if reading is None or (reading.accepted and not (with_mended and reading.mends)):
            continue
        # Without thinking and invented further turns: the accepted answer has none either, and
        # length would be the main difference between the two.
        rejected = _remove_surrogates(own_words(attempt.call.reply)[0]).strip()
        if reason := _unusable(attempt, rejected, chosen, seen):
            left_out[reason] += 1
            continue
        seen.add(rejected)
        yield {
            "prompt": _prompt(moment),
            "chosen": _said(chosen),
            "rejected": _said(rejected),
            "problem": problem_of(attempt),
            "cut": attempt.call.finish == "length",
            **_columns(moment),
        }


def _unusable(attempt: RecordedAttempt, rejected: str, chosen: str, seen: set[str]) -> str:
    """Return why a reply cannot be a bad answer; empty when it can."""
    if attempt.call.finish == "unreadable":
        return SERVER
    if not rejected:
        return EMPTY
    try:
        is_same = bool(orjson.loads(rejected) == orjson.loads(chosen))
    except orjson.JSONDecodeError:
        is_same = False
    return SAME if is_same else TWICE if rejected in seen else ""


def _prompt(moment: Moment) -> list[dict[str, str]]:
    """Return the messages of the first question."""
    messages = orjson.loads(moment.attempts[0].call.messages)
    return [{"role": each["role"], "content": each["content"]} for each in messages]


def _said(text: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": text}]


def _columns(moment: Moment) -> Row:
    """Return the columns that identify the moment; they are not used in training."""
    return {"moment": moment.id, "step": moment.step, "outcome": moment.outcome}


def _remove_surrogates(text: str) -> str:
    """Return a text without lone surrogates, which JSON readers cannot handle."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
