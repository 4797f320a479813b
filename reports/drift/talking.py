"""Finds talks that go in circles: repeated words, and nothing but pleasantries."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from smolville.agents.action import Talk, TalkLine
from smolville.agents.memory import Memory
from smolville.agents.wording import format_count
from smolville.graphs.sense.words import words_of
from smolville.reports.drift.alarm import Alarm, at_first, day_start

LEAST_WORDS = 6
"""Minimum number of words of a sentence that counts.

Greetings and goodbyes are shorter, and may be repeated.
"""
IN_ONE_TALK = 3
"""Number of times that a sentence is said in one talk, from which on it counts as repeated.

Twice may be emphasis, or a line that was misheard.
"""
TO_ONE_PERSON = 4
"""Number of talks on one day with the same sentence to the same person, which causes an alarm.

Somebody may forget having told news and tell it again, which the stand-in does up to three times.
"""
THOUGHT_AGAIN = 4
"""Number of times that a person has the same thought on one day, which causes an alarm.

A reflection may find an insight again. Steps refuse insights that repeat a memory, so four copies
mean that this check fails.
"""
POLITE_LINES = 5
"""Number of consecutive lines of pleasantries that causes an alarm.

"Hello, how are you", "Fine, and you?", "Fine too": four such lines are polite, and a farewell takes
three. The fifth line has nothing left to say.
"""

POLITE = frozenset(
    (  # noqa: SIM905
        "a about afternoon again ah all alright also always am and anytime are at be been bye "
        "care chat chatting couldn't day dear doing enjoy evening everything fine for going "
        "glad go good goodbye great had happy has have hear hello hey hi hope how how's i i'll "
        "i'm i've is it it's just keep kind later let lovely luck many meet meeting mine moment "
        "morning much must my mutual nice night no now of off oh ok okay on pleasant pleased "
        "pleasure really right rest same see seeing so soon speak speaking still sure take talk "
        "talking thank thanks that that's the then there things time to today tomorrow too until "
        "up very wait was welcome well were what what's will wish with wonderful yes you you'll "
        "you're you've your yours yourself"
    ).split()
)
"""English words of pleasantries; a line with no other words says nothing."""
_SENTENCE = re.compile(r"[^.!?…]+")


def find_politeness_loops(talks: Iterable[Talk]) -> Iterator[Alarm]:
    """Yield an alarm for each group of people whose talks consist of pleasantries for too long."""
    found: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for talk in talks:
        names = {word for name in talk.participants for word in words_of(name)}
        lines, start = _longest_polite_run(talk.lines, names)
        if lines >= POLITE_LINES:
            found[tuple(sorted(talk.participants))].append((start, lines))
    for people, runs in sorted(found.items(), key=lambda each: each[1]):
        starts = [start for start, _ in runs]
        longest = max(lines for _, lines in runs)
        often = "in a talk" if len(runs) == 1 else f"in {format_count(len(runs), 'talk')}"
        yield Alarm(
            kind="politeness",
            who=people,
            count=len(runs),
            first=min(starts),
            last=max(starts),
            sentence=f"{' and '.join(people)} exchanged nothing but pleasantries for "
            f"{'up to ' if runs[1:] else ''}{longest} lines {often}, {at_first(starts)}.",
        )


def _longest_polite_run(lines: Sequence[TalkLine], names: set[str]) -> tuple[int, int]:
    """Return the length and the start of the longest sequence of lines without content."""
    longest, began, run = 0, 0, 0
    for index, line in enumerate(lines):
        words = words_of(line.text)
        run = run + 1 if words and all(w in POLITE or w in names for w in words) else 0
        if run > longest:
            longest, began = run, lines[index - run + 1].at
    return longest, began


def find_repeated_phrases(talks: Iterable[Talk]) -> Iterator[Alarm]:
    """Yield an alarm for each person who says a sentence too often in a talk or to one person."""
    within: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    told: dict[tuple[str, str, int], dict[str, list[int]]] = {}
    for talk in talks:
        for speaker, said in _said_in(talk).items():
            sentence, times = max(said.items(), key=lambda each: each[1])
            if times >= IN_ONE_TALK:
                within[speaker].append((talk.start, times, sentence))
            for other in talk.others(speaker):
                known = told.setdefault((speaker, other, day_start(talk.start)), {})
                for each in said:
                    known.setdefault(each, []).append(talk.start)
    for speaker, found in within.items():
        starts = [start for start, _, _ in found]
        _, times, sentence = max(found, key=lambda each: each[1])
        often = f"{times} times in one talk"
        if found[1:]:
            often = f"up to {times} times in each of {len(found)} talks"
        text = f"{speaker} said {_quote(sentence)} {often}, {at_first(starts)}."
        yield _phrase_alarm((speaker,), starts, text)
    yield from _find_told_again(told)


def _find_told_again(
    told: Mapping[tuple[str, str, int], Mapping[str, Sequence[int]]],
) -> Iterator[Alarm]:
    """Yield an alarm for each day on which two people repeat a sentence in too many talks."""
    for (speaker, other, _), sentences in told.items():
        sentence, starts = max(sentences.items(), key=lambda each: len(each[1]))
        if len(starts) >= TO_ONE_PERSON:
            text = f"{speaker} told {other} {_quote(sentence)} in {len(starts)} talks of one day, "
            yield _phrase_alarm((speaker, other), starts, f"{text}{at_first(starts)}.")


def _said_in(talk: Talk) -> dict[str, Counter[str]]:
    """Return how often each speaker of a talk says each sentence; greetings are left out."""
    said: dict[str, Counter[str]] = {}
    for line in talk.lines:
        for sentence in _sentences(line.text):
            said.setdefault(line.speaker, Counter())[sentence] += 1
    return said


def find_repeated_thoughts(memories: Iterable[Memory]) -> Iterator[Alarm]:
    """Yield an alarm for each person and day with the same thought again and again."""
    had: dict[tuple[str, int], dict[tuple[str, ...], list[Memory]]] = {}
    for memory in memories:
        words = tuple(words_of(memory.text))
        if memory.kind == "thought" and len(words) >= LEAST_WORDS:
            of_day = had.setdefault((memory.agent, day_start(memory.created)), {})
            of_day.setdefault(words, []).append(memory)
    for (agent, _), thoughts in had.items():
        again = max(thoughts.values(), key=len)
        if len(again) >= THOUGHT_AGAIN:
            times = [memory.created for memory in again]
            text = f"{agent} had the thought {_quote(again[0].text)} {len(again)} times on one day"
            yield _phrase_alarm((agent,), times, f"{text}, {at_first(times)}.")


def _phrase_alarm(who: tuple[str, ...], times: Sequence[int], sentence: str) -> Alarm:
    """Return an alarm about a sentence that was said or thought at these times."""
    return Alarm(
        kind="phrases",
        who=who,
        count=len(times),
        first=min(times),
        last=max(times),
        sentence=sentence,
    )


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences long enough to count, in lower case and without punctuation."""
    for part in _SENTENCE.findall(text):
        words = words_of(part)
        if len(words) >= LEAST_WORDS:
            yield " ".join(words)


def _quote(text: str) -> str:
    """Return the beginning of a text in quotation marks."""
    words = text.rstrip(".").split()
    return f'"{" ".join(words[:9])}{" …" if words[9:] else ""}"'
