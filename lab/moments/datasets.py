"""Rows to train on, in the chat formats that TRL reads: what was asked, and how to answer it.

A row's prompt is always the first question: what is to be learnt is the answer that needs no
repair. Its answer is the accepted one as the answer type writes it, not the reply it was read from:
chatter, fences and thinking are not to be learnt, and of a list whose items came one repair after
another no reply holds the whole.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from lab.moments.moment import Moment
from parsers.reading.turns import own_words
from world.runs.thoughts import Attempt

Row = dict[str, Any]
LeftOut = Counter[str]
"""How many are in no row, by the reason, as a sentence goes on with it."""

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
    """Give a prompt and its completion for each moment with a sensible answer.

    `with_odd` takes answers too in which something makes no sense.
    """
    for moment in moments:
        if reason := _no_example(moment, with_odd=with_odd):
            left_out[reason] += 1
            continue
        yield {
            "prompt": _prompt(moment),
            "completion": _said(_readable(moment.record.answer)),
            **_named(moment),
        }


def dpo_rows(
    moments: Iterable[Moment],
    left_out: LeftOut,
    *,
    with_mended: bool = False,
    with_odd: bool = False,
) -> Iterator[Row]:
    """Give the accepted answer and a reply that was not accepted, for each such reply.

    `with_mended` takes those too that code had to mend: they teach form, not sense. `with_odd`
    takes answers as good ones in which something makes no sense.
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
    """Return why an answer is no example to learn from; empty when it is."""
    if moment.outcome == "fallback":
        return FALLBACK
    return ODD if moment.record.odd and not with_odd else ""


def _pairs(moment: Moment, left_out: LeftOut, *, with_mended: bool) -> Iterator[Row]:
    chosen = _readable(moment.record.answer)
    seen: set[str] = set()
    for attempt in moment.attempts:
        if not _is_wrong(attempt, with_mended=with_mended):
            continue
        reason, rejected = _rejected(attempt, chosen)
        if not reason and rejected in seen:
            reason = TWICE
        if reason:
            left_out[reason] += 1
            continue
        seen.add(rejected)
        yield {
            "prompt": _prompt(moment),
            "chosen": _said(chosen),
            "rejected": _said(rejected),
            "problem": problem_of(attempt),
            "cut": attempt.call.finish == "length",
            **_named(moment),
        }


def problem_of(attempt: Attempt) -> str:
    """Return what was wrong with a reply, in sentences; of a mended one, what was mended."""
    reading = attempt.reading
    if reading is None:
        return ""
    if reading.problems:
        return " ".join(reading.problems)
    return f"Mended: {'; '.join(reading.mends)}." if reading.mends else ""


def _is_wrong(attempt: Attempt, *, with_mended: bool) -> bool:
    """Return True for a reply that was refused, and for a mended one where those are wanted."""
    reading = attempt.reading
    return reading is not None and (not reading.accepted or (with_mended and bool(reading.mends)))


def _rejected(attempt: Attempt, chosen: str) -> tuple[str, str]:
    """Return why a reply is of no use (empty when it is), and the reply as its model wrote it.

    Without its thinking and the turns it invented after its own: the accepted answer has none
    either, and length would be all they differ in.
    """
    if attempt.call.finish == "unreadable":
        return SERVER, ""
    said, _ = own_words(attempt.call.reply)
    said = _readable(said).strip()
    if not said:
        return EMPTY, ""
    return (SAME, "") if _is_same(said, chosen) else ("", said)


def _is_same(said: str, chosen: str) -> bool:
    """Return True when two texts are the same JSON."""
    try:
        return bool(orjson.loads(said) == orjson.loads(chosen))
    except orjson.JSONDecodeError:
        return False


def _prompt(moment: Moment) -> list[dict[str, str]]:
    """Return the messages of the first question."""
    told = orjson.loads(moment.attempts[0].call.messages)
    return [{"role": each["role"], "content": each["content"]} for each in told]


def _said(text: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": text}]


def _named(moment: Moment) -> Row:
    """Return the columns that no training reads: by them the moment is found again."""
    return {"moment": moment.id, "step": moment.step, "outcome": moment.outcome}


def _readable(text: str) -> str:
    """Return a text without halves of letters, on which readers of JSON stumble."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
