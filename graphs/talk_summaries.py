"""Prepare by rule what may be kept of a talk, for a model that only chooses among it.

Small models swap who did what, and promise what nobody spoke of (docs/small-models.md). So the
sentences of a summary are those that were said, in the third person of their speaker; a promise is
what somebody agreed to.
"""

import re
from collections.abc import Sequence
from itertools import pairwise, product

from graphs.concerns import is_event, occupies
from graphs.frame.happenings import event_in, in_third_person, read_happening
from graphs.prompt_inputs import NumberedLine, PromptInput
from models.standin.words import clip, sentences
from parsers.conclude_talk import LONGEST

MOST_SUMMARIES = 4
_ACCEPTS = re.compile(r"\b(?:I (?:would|will|'ll)|I'd|count me in|gladly)\b[^.!?]*", re.IGNORECASE)
_UNSURE = re.compile(r"\bnot sure\b|\bcannot\b|\bcan't\b|\bI will try\b", re.IGNORECASE)
_FAVOUR = re.compile(r"\bcould you (?P<what>[^?]+)\?", re.IGNORECASE)
_LED = re.compile(r"^(?:Well|By the way|As for me), (?=I )")
_BRING = re.compile(
    r"(?:^Yes, (?P<what>[^.!?]+) would be a great help|\bwe could use (?P<things>[^.!?]+))[.!]"
)
_WILL_BRING = re.compile(r"\bI will (?:bring some|see to that)\b")
_TOLD = re.compile(r"^(?:.*[!.?] )?You told me that you are (?P<what>[^.?!]+)\.")
_LOOKS_FORWARD = re.compile(r"\bI look forward to (?P<what>the [^.?!]+)\.")
_INVITES = re.compile(r"\b(?:[Ww]ould you like to come|[Ww]ill you come|welcome to come)\b")
_STILL_NEEDS = re.compile(r"\bI still need (?P<things>[^.?!]+)\.")
_WILL_LOOK = re.compile(r"\bI will (?:see what I can find|keep an eye out for that)\b")
_SAD = re.compile(r"\b(?:thin|cross|worr(?:y|ied)|sad|ill|cannot|lost)\b")
"""Words of news that makes one worry."""
_WHEN = re.compile(r"\bon [A-Z]\w+day\b.*$")


_NOTHING = NumberedLine(speaker="", text="")
"""What comes before the first line."""


class PreparedConclusion(PromptInput):
    """What may be kept of a talk."""

    summaries: tuple[str, ...]
    keep: tuple[int, ...]
    """The numbers of the others' lines that hold news."""
    promise: str = ""
    """What the listener has agreed to; empty for nothing."""
    feelings: tuple[str, ...]


def prepare_conclusion(
    me: str, others: Sequence[str], lines: Sequence[NumberedLine]
) -> PreparedConclusion:
    """Return the summaries, the lines with news, the promise and the feelings to choose from."""
    told: list[tuple[NumberedLine, str]] = []
    for before, line in pairwise([_NOTHING, *lines]):
        for each in _answered_in(before, line):
            # What came of a request stands with it, so that no summary has one without the other.
            asked = [at for at, (other, _) in enumerate(told) if other is before]
            if asked:
                each = f"{told.pop(asked[-1])[1]} {each}"
            told.append((before if asked else line, each))
        news = (*_told_in(me, others, line), *_asked_in(me, others, line))
        told += [(line, each) for each in news]
    promise = _promise(me, others, lines)
    plain = f"{me} and {' and '.join(others)} greeted each other and asked how it is going."
    numbers = [line.number for line in lines if line.speaker in others and _news_in(line)]
    heard = " ".join(line.text for line in lines if line.number in numbers)
    feelings = ["glad", "hopeful", "curious"] if numbers else ["glad", "calm"]
    feelings = ["worried", "curious", "hopeful"] if _SAD.search(heard) else feelings
    return PreparedConclusion(
        summaries=_summaries(told) or (plain,),
        keep=tuple(dict.fromkeys(numbers)),
        promise=promise,
        feelings=tuple(feelings),
    )


def _summaries(told: Sequence[tuple[NumberedLine, str]]) -> tuple[str, ...]:
    """Return summaries: all that was told, or as much as there is room for; something of all.

    A summary is how one knows later what was told already.
    """
    facts = list(dict.fromkeys(each for _, each in told))
    first = sorted(facts, key=lambda text: " invited " not in text and " asked " not in text)
    kept: list[str] = []
    for each in first:
        if sum(len(other) + 1 for other in (*kept, each)) <= LONGEST + 1:
            kept.append(each)
    combined = [" ".join(each for each in facts if each in kept)]
    by_speaker: dict[str, list[str]] = {}
    for line, each in told:
        by_speaker.setdefault(line.speaker, []).append(each)
    if len(kept) < len(facts):
        combined += map(" ".join, product(*by_speaker.values()))
    found = dict.fromkeys(clip(each, LONGEST) for each in combined if each)
    return tuple(found)[:MOST_SUMMARIES]


def _news_in(line: NumberedLine) -> list[str]:
    """Return the sentences of a line that tell something, in the third person of its speaker."""
    found = []
    if needs := _STILL_NEEDS.search(line.text):
        found.append(f"{line.speaker} still needs {needs['things']}.")
    for each in sentences(line.text):
        plain = _LED.sub("", each)
        is_news = occupies(plain) or is_event(plain) or plain.startswith("I need ")
        if is_news and not plain.endswith("?") and not plain.startswith("You told me"):
            found.append(_with_their(in_third_person(plain, line.speaker), line.speaker))
    return found


def _told_in(me: str, others: Sequence[str], line: NumberedLine) -> list[str]:
    """Return a line's news in short: of an event its name, of plans no reasons.

    The whole line is kept beside the summary by those to whom it is news.
    """
    listener = _listener(me, others, line)
    found = []
    for each in _news_in(line):
        if not is_event(each):
            found.append(re.sub(r",? (?:because|so that) .*$", ".", each))
        elif _INVITES.search(line.text):
            found.append(f"{line.speaker} invited {listener} to the {event_in(each)}.")
        else:
            found.append(f"{line.speaker} told {listener} about the {event_in(each)}.")
    return found


def _listener(me: str, others: Sequence[str], line: NumberedLine) -> str:
    """Return to whom a line was said."""
    return " and ".join(each for each in (me, *others) if each != line.speaker)


def _asked_in(me: str, others: Sequence[str], line: NumberedLine) -> list[str]:
    """Return what a line asks of its listener, in the third person: `Ada asked Ben to sing`."""
    listener = _listener(me, others, line)
    if favour := _FAVOUR.search(line.text):
        return [f"{line.speaker} asked {listener} to {_of_theirs(favour['what'])}."]
    if told := _TOLD.search(line.text):
        what = _of_theirs(told["what"]).partition(" and ")[0]
        return [f"{line.speaker} asked {listener}, who is still {what}, how it is going."]
    if bring := _BRING.search(line.text):
        return [f"{line.speaker} asked {listener} to bring {bring['what'] or bring['things']}."]
    if event := _LOOKS_FORWARD.search(line.text):
        return [f"{line.speaker} looks forward to {event['what']}."]
    return []


def _answered_in(before: NumberedLine, line: NumberedLine) -> list[str]:
    """Return what came of an invitation or a request: `Ben wants to come`, `Ben agreed`."""
    is_unsure = _UNSURE.search(line.text) is not None
    says_yes = (
        _WILL_BRING.search(line.text)
        or _WILL_LOOK.search(line.text)
        or _ACCEPTS.search(line.text)
        or line.text.startswith(("Yes", "Of course"))
    )
    if before.speaker == line.speaker or not (is_unsure or says_yes):
        return []
    if _FAVOUR.search(before.text) or _BRING.search(before.text):
        return [f"{line.speaker} {'will think about it' if is_unsure else 'agreed'}."]
    if _WILL_LOOK.search(line.text) and "need " in before.text:
        return [f"{line.speaker} will look out for some."]
    if _INVITES.search(before.text):
        return [f"{line.speaker} {'will try to come' if is_unsure else 'wants to come'}."]
    return []


def _of_theirs(told: str) -> str:
    """Return words said to somebody as they are told to others: `your` becomes `their`."""
    return re.sub(r"\byour\b", "their", told)


def _with_their(told: str, name: str) -> str:
    """Return a sentence about somebody in which what is theirs is not told by their name again."""
    first = re.escape(name.split()[0])
    return re.sub(rf"(?<=\w )(?:{re.escape(name)}|{first})['’]s\b", "their", told)


def _promise(me: str, others: Sequence[str], lines: Sequence[NumberedLine]) -> str:
    """Return what one has agreed to in a talk; empty for nothing."""
    for before, line in pairwise(lines):
        if line.speaker != me or before.speaker not in others or _UNSURE.search(line.text):
            continue
        if not _ACCEPTS.search(line.text) and not line.text.startswith(("Yes", "Of course")):
            continue
        favour = _FAVOUR.search(before.text)
        if favour:
            return clip(f"{me} does what {before.speaker} asked for: {favour['what']}.", 160)
        for each in sentences(before.text):
            told = in_third_person(each, before.speaker)
            event = read_happening(told, before.speaker, before.speaker.split()[0])
            when = _WHEN.search(each)
            if event is not None and event.is_party and when:
                return clip(f"{me} goes to {event.what} {when[0].rstrip('.')}.", 160)
    return ""
