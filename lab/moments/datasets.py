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
            continue
        yield {
            "prompt": _prompt(moment),
            "completion": _make_assistant_message(_remove_surrogates(moment.record.answer)),
            **_make_moment_columns(moment),
        }


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


def _no_example(moment: Moment, *, with_odd: bool) -> str:
    """Return the reason why an answer is not a good example; empty when it is one."""
    if moment.outcome == "fallback":
        return FALLBACK
    return ODD if moment.record.odd and not with_odd else ""


def _pairs(moment: Moment, left_out: LeftOut, *, with_mended: bool) -> Iterator[Row]:
    chosen = _remove_surrogates(moment.record.answer)
    seen: set[str] = set()
    for attempt in moment.attempts:
        if not _is_wrong(attempt, with_mended=with_mended):
            continue
        reason, rejected = _explain_rejection(attempt, chosen)
        if not reason and rejected in seen:
            reason = TWICE
        if reason:
            left_out[reason] += 1
            continue
        seen.add(rejected)
        yield {
            "prompt": _prompt(moment),
            "chosen": _make_assistant_message(chosen),
            "rejected": _make_assistant_message(rejected),
            "problem": problem_of(attempt),
            "cut": attempt.call.finish == "length",
            **_make_moment_columns(moment),
        }


def problem_of(attempt: RecordedAttempt) -> str:
    """Return the problems of a reply in sentences, or else what was mended in it."""
    reading = attempt.reading
    if reading is None:
        return ""
    if reading.problems:
        return " ".join(reading.problems)
    return f"Mended: {'; '.join(reading.mends)}." if reading.mends else ""


def _is_wrong(attempt: RecordedAttempt, *, with_mended: bool) -> bool:
    """Return True for a rejected reply, and for a mended one if `with_mended`."""
    reading = attempt.reading
    return reading is not None and (not reading.accepted or (with_mended and bool(reading.mends)))


def _explain_rejection(attempt: RecordedAttempt, chosen: str) -> tuple[str, str]:
    """Return why a reply is unusable (empty when it is usable), and the model's own text.

    The text is without thinking and without invented further turns: the accepted answer has none
    either, and length would be the main difference between the two.
    """
    if attempt.call.finish == "unreadable":
        return SERVER, ""
    reply, _ = own_words(attempt.call.reply)
    reply = _remove_surrogates(reply).strip()
    if not reply:
        return EMPTY, ""
    return (SAME, "") if _is_same(reply, chosen) else ("", reply)


def _is_same(reply: str, chosen: str) -> bool:
    """Return whether two texts are the same JSON."""
    try:
        return bool(orjson.loads(reply) == orjson.loads(chosen))
    except orjson.JSONDecodeError:
        return False


def _prompt(moment: Moment) -> list[dict[str, str]]:
    """Return the messages of the first question."""
    messages = orjson.loads(moment.attempts[0].call.messages)
    return [{"role": each["role"], "content": each["content"]} for each in messages]


def _make_assistant_message(text: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": text}]


def _make_moment_columns(moment: Moment) -> Row:
    """Return the columns that identify the moment; they are not used in training."""
    return {"moment": moment.id, "step": moment.step, "outcome": moment.outcome}


def _remove_surrogates(text: str) -> str:
    """Return a text without lone surrogates, which JSON readers cannot handle."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
