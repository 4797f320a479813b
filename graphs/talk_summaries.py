"""Prepare by rule the possible conclusions of a talk, for a small model to choose from.

Small models confuse who did what, and invent promises (docs/small-models.md). So a summary consists
of sentences said in the talk, put into the third person, and a promise must be made in the talk.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from agents.wording import join_words
from graphs.concerns import is_event, occupies
from graphs.frame.happenings import event_in, in_third_person, read_happening
from graphs.greetings import AT_A_PARTY, TODAY
from graphs.prompt_inputs import NumberedLine, PromptInput
from graphs.talk_topics import WILL_HELP
from models.standin.words import clip, sentences
from parsers.conclude_talk import LONGEST

MOST_SUMMARIES = 4
_ACCEPTS = re.compile(r"\b(?:I (?:would|will|'ll)|I'd|count me in|gladly)\b[^.!?]*", re.IGNORECASE)
_UNSURE = re.compile(r"\bnot sure\b|\bcannot\b|\bcan't\b|\bI will try\b", re.IGNORECASE)
_FAVOUR = re.compile(r"\bcould you (?P<what>[^?]+)\?", re.IGNORECASE)
_LED = re.compile(
    r"^(?:By the way|As for me|As it happens|To be honest|[A-Z][\w'’-]+(?: and [A-Z][\w'’-]+)?), "
    r"(?=I |you )"
)
"""Possible beginnings of a sentence before `I` or `you`: a phrase, or the listener's name."""
_BRING = re.compile(
    r"(?:^Yes, (?P<what>[^.!?]+) would be a great help|\bwe could use (?P<things>[^.!?]+))[.!]"
)
_WILL_BRING = re.compile(r"\bI will (?:bring some|see to that)\b")
_TOLD = re.compile(r"^(?:.*[!.?,] )?[Yy]ou told me that you are (?P<what>[^.?!]+)\.")
_LOOKS_FORWARD = re.compile(r"\bI look forward to (?P<what>the [^.?!]+)\.")
_INVITES = re.compile(
    r"\b(?:[Ww]ould you like to come|[Ww]ill you come|welcome to come|[Pp]lease come)\b"
)
_TOGETHER = re.compile(r"\bWe could go together\b")
_HAPPENED = re.compile(r"^I (?:have been (?:offered|asked|chosen)|am (?:racing|attending))\b")
"""News that is about neither a plan nor work."""
_NO_NEWS = re.compile(r"\bthinking of having a chat\b|\bsomething I want to tell you\b")
_MET = re.compile(r"\bI am [A-Z][\w'’-]+\.")
_BY_NAME = re.compile(r"\bcome, (?P<names>[^?]+)\?")
"""An invitation that names the people invited."""
_STILL_NEEDS = re.compile(r"\bI still need (?P<things>[^.?!]+)\.")
_WILL_LOOK = re.compile(r"\bI will (?:see what I can find|keep an eye out for that)\b")
_WILL_ASK = re.compile(r"\bI will (?:ask around|think about whom I could ask)\b")
_KNEW = re.compile(r"\b(?:I know|I have heard of it|I look forward to it|I would not miss it)\b")
"""Replies to news that the speaker already knew."""
_SAD = re.compile(r"\b(?:thin|cross|worr(?:y|ied)|sad|ill|cannot|lost)\b")
"""Words of news that worries its hearers."""
_COMES = re.compile(r"\bwants? to come\.")
_TALKED_ABOUT = " talked about the "
"""Words of a summary sentence about an event that both people knew already."""
_BOTH = re.compile(r"([A-Z][\w'’ -]+) wants to come\. ([A-Z][\w'’ -]+) wants(?= to come\.)")
"""Two sentences, each about a person who wants to come."""
_WHEN = re.compile(r"\bon [A-Z]\w+day\b.*$")


_NOTHING = NumberedLine(speaker="", text="")
"""Placeholder for the line before the first one."""


class PreparedConclusion(PromptInput):
    """The possible conclusions of a talk."""

    summaries: tuple[str, ...]
    keep: tuple[int, ...]
    """Numbers of the others' lines that contain news."""
    promise: str = ""
    """What the agent has agreed to do; empty for nothing."""
    feelings: tuple[str, ...]


def prepare_conclusion(
    me: str, others: Sequence[str], lines: Sequence[NumberedLine]
) -> PreparedConclusion:
    """Return the summaries, the lines with news, the promise and the feelings to choose from."""
    told: list[tuple[NumberedLine, str]] = []
    known = _known_already(lines)
    for before, line in _with_asked(lines):
        for each in _answered_in(before, line):
            # What came of a request stands with it, so that no summary has one without the other.
            asked = [at for at, (other, _) in enumerate(told) if other is before]
            if asked:
                each = _BOTH.sub(r"\1 and \2 want", f"{told.pop(asked[-1])[1]} {each}")
            told.append((before if asked else line, each))
        news = (*_told_in(me, others, line, known), *_asked_in(me, others, line))
        told += [(line, each) for each in news]
    promise = _promise(me, others, lines)
    plain = f"{join_words([me, *others])} greeted each other and asked how it is going."
    if any(_MET.search(line.text) for line in lines[:1]):
        plain = f"{join_words([me, *others])} got to know each other."
    today = next((found for line in lines if (found := TODAY.search(line.text))), None)
    if today is not None:
        plain = f"{join_words([me, *others])}{_TALKED_ABOUT}{today['event']}."
    if any(AT_A_PARTY.search(line.text) for line in lines):
        plain = f"{join_words([me, *others])} met at the party and were glad of it."
    news_of = [line for line in lines if line.speaker in others and line.number not in known]
    numbers = [line.number for line in news_of if _news_in(line)]
    heard = " ".join(line.text for line in lines if line.number in numbers)
    feelings = ["glad", "hopeful", "curious"] if numbers else ["glad", "calm"]
    feelings = ["glad", "hopeful"] if any(_COMES.search(each) for _, each in told) else feelings
    feelings = ["worried", "curious", "hopeful"] if _SAD.search(heard) else feelings
    return PreparedConclusion(
        summaries=_summaries(told) or (plain,),
        keep=tuple(dict.fromkeys(numbers)),
        promise=promise,
        feelings=tuple(feelings),
    )


def _summaries(told: Sequence[tuple[NumberedLine, str]]) -> tuple[str, ...]:
    """Return possible summaries; the first has all that was told, or as much as fits.

    If something does not fit, invitations and requests take precedence. Without any, more summaries
    follow, each with one fact of every speaker. In later talks, the remembered summary shows what a
    person has been told already.
    """
    facts = list(dict.fromkeys(each for _, each in told))
    first = sorted(facts, key=lambda text: (not _is_agreed(text), _TALKED_ABOUT in text))
    kept: list[str] = []
    for each in first:
        if sum(len(other) + 1 for other in (*kept, each)) <= LONGEST + 1:
            kept.append(each)
    combined = [" ".join(each for each in facts if each in kept)]
    by_speaker: dict[str, list[str]] = {}
    for line, each in told:
        by_speaker.setdefault(line.speaker, []).append(each)
    if len(kept) < len(facts) and not any(map(_is_agreed, facts)):
        combined += map(" ".join, product(*by_speaker.values()))
    found = dict.fromkeys(clip(each, LONGEST) for each in combined if each)
    return tuple(found)[:MOST_SUMMARIES]


def _is_agreed(fact: str) -> bool:
    """Return whether a fact is about an invitation or a request and its answer."""
    return " invited " in fact or " asked " in fact


def _news_in(line: NumberedLine) -> list[str]:
    """Return the informative sentences of a line, in the third person of its speaker."""
    found = []
    if needs := _STILL_NEEDS.search(line.text):
        found.append(f"{line.speaker} still needs {needs['things']}.")
    for each in sentences(line.text):
        plain = _LED.sub("", each)
        tells = occupies(plain) or is_event(plain) or _HAPPENED.search(plain) is not None
        is_news = (tells or plain.startswith("I need ")) and not _NO_NEWS.search(plain)
        if is_news and not plain.endswith("?") and not plain.lower().startswith("you told me"):
            found.append(_with_their(in_third_person(plain, line.speaker), line.speaker))
    return found


def _known_already(lines: Sequence[NumberedLine]) -> set[int]:
    """Return the numbers of lines with news of an event that the next speaker already knew of."""
    return {
        line.number
        for line, after in pairwise(lines)
        if _KNEW.search(after.text) and any(map(is_event, sentences(line.text)))
    }


def _told_in(me: str, others: Sequence[str], line: NumberedLine, known: set[int]) -> list[str]:
    """Return a line's news in short: an event by its name, plans without reasons.

    People to whom a line is news remember the whole line beside the summary.
    """
    listener = _listener(me, others, line)
    found = []
    for each in _news_in(line):
        if not is_event(each):
            found.append(re.sub(r",? (?:because|so that) .*$", ".", each))
        elif _INVITES.search(line.text):
            guest = _BY_NAME.search(line.text)
            named = [name for name in (me, *others) if guest and name.split()[0] in guest["names"]]
            invited = join_words(named) or listener
            found.append(f"{line.speaker} invited {invited} to the {event_in(each)}.")
        elif line.number in known:
            found.append(f"{join_words([line.speaker, listener])}{_TALKED_ABOUT}{event_in(each)}.")
        else:
            found.append(f"{line.speaker} told {listener} about the {event_in(each)}.")
    return found


def _listener(me: str, others: Sequence[str], line: NumberedLine) -> str:
    """Return the person to whom a line was said."""
    return join_words([each for each in (me, *others) if each != line.speaker])


def _asked_in(me: str, others: Sequence[str], line: NumberedLine) -> list[str]:
    """Return the request in a line in the third person: `Ada asked Ben to sing`."""
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


def _with_asked(lines: Sequence[NumberedLine]) -> Iterator[tuple[NumberedLine, NumberedLine]]:
    """Yield each line with the line that it may answer.

    In a group, each person answers the invitation or request itself, not the answer before their
    own.
    """
    yield from pairwise([_NOTHING, *lines[:1]])
    before = lines[0] if lines else _NOTHING
    for last, line in pairwise(lines):
        is_answer = last.speaker != before.speaker and _answered_in(before, last)
        before = before if is_answer and line.speaker != before.speaker else last
        yield before, line


def _answered_in(before: NumberedLine, line: NumberedLine) -> list[str]:
    """Return the answer to an invitation or a request: `Ben wants to come`, `Ben agreed`."""
    is_unsure = _UNSURE.search(line.text) is not None
    says_yes = (
        _WILL_BRING.search(line.text)
        or _WILL_LOOK.search(line.text)
        or _WILL_ASK.search(line.text)
        or _ACCEPTS.search(line.text)
        or line.text.startswith(("Yes", "Of course"))
    )
    if before.speaker == line.speaker or not (is_unsure or says_yes):
        return []
    if _FAVOUR.search(before.text) or _BRING.search(before.text):
        return [f"{line.speaker} {'will think about it' if is_unsure else 'agreed'}."]
    if _WILL_LOOK.search(line.text) and "need " in before.text:
        return [f"{line.speaker} {WILL_HELP}."]
    if _WILL_ASK.search(line.text):
        return [f"{line.speaker} will ask around."]
    if _INVITES.search(before.text) or _TOGETHER.search(before.text):
        return [f"{line.speaker} {'will try to come' if is_unsure else 'wants to come'}."]
    return []


def _of_theirs(told: str) -> str:
    """Return words that were said to a person in the form used about others: `their` for `your`."""
    return re.sub(r"\byour\b", "their", told)


def _with_their(told: str, name: str) -> str:
    """Return a sentence about a person with `their` in place of the name's later possessives.

    Before words such as `memories` or `notes`, the possessive (`Ada's`) is left out.
    """
    first = re.escape(name.split()[0])
    of = rf"(?<=\w )(?:{re.escape(name)}|{first})['’]s\b"
    return re.sub(
        of, "their", re.sub(rf"{of} (?=(?:memories|memoirs|notes|papers|plans)\b)", "", told)
    )


def _promise(me: str, others: Sequence[str], lines: Sequence[NumberedLine]) -> str:
    """Return the promise given in a talk; empty if there is none."""
    for before, line in _with_asked(lines):
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
