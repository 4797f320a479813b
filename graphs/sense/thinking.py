"""Sense checks of thoughts: whispers keep their content, insights are new, no strangers appear."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from graphs.sense.words import (
    RELATIVE_DAYS,
    clock_words,
    days_in,
    minutes_in,
    names_in,
    numbers_in,
    share_in,
    stems_of,
    without_times,
    words_of,
)
from parsers.answer_interview import InterviewAnswer
from parsers.conclude_talk import TalkConclusion
from parsers.heed_inner_voice import InnerThought
from parsers.problem import Problem, field_problem
from parsers.reflect_insights import Insights
from parsers.revise_identity import NewIdentity
from parsers.say import SERVICE

if TYPE_CHECKING:
    from graphs.answer_interview import AnswerInterviewInput
    from graphs.conclude_talk import ConcludeTalkInput
    from graphs.heed_inner_voice import HeedInnerVoiceInput
    from graphs.reflect_insights import ReflectInsightsInput
    from graphs.revise_identity import ReviseIdentityInput

LEAST = 3
"""Minimum number of meaningful words of a whisper that is checked for changes."""
KEPT, ADDED = 0.6, 0.5
"""Minimum share of a whisper's words kept in the thought, and maximum share of new words in it."""
THE_SAME = 0.9
"""Minimum share of an insight's words in one memory for it to count as that memory."""
_FAVOUR = re.compile(r"\b[Cc]ould you (?P<what>[^?]+)\?")
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'll|i'd|me|my|mine|myself|we|us|our|ours)\b", re.I)


def not_my_own(
    answer: InnerThought, inputs: "HeedInnerVoiceInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a thought that addresses its thinker, or mentions them by name."""
    text = answer.thought.replace("’", "'")
    me = inputs.me
    of_me = re.search(rf"\b(?:{re.escape(me.name)}|{re.escape(me.first_name)})\b", text)
    if _FIRST_PERSON.search(text) is None or (of_me and me.first_name not in names_of(inputs)):
        rest = f'. You are {me.first_name}: write "I", "me" or "my".'
        yield field_problem("thought", answer.thought, rest, "voice")


def names_of(inputs: "HeedInnerVoiceInput") -> set[str]:
    """Return the names in a whisper, the listener's own name included if the whisper uses it."""
    return set(names_in(inputs.whisper))


def lost_or_added(
    answer: InnerThought, inputs: "HeedInnerVoiceInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a thought that loses or adds a name, number, day or time of the whisper."""
    told, thought = inputs.whisper, answer.thought
    own = {word.casefold() for word in inputs.me.name.split()}
    for what, before, after in (
        ("name", _fold_names(names_in(told)) - own, set(words_of(thought))),
        ("number", numbers_in(without_times(told)), numbers_in(thought)),
        ("day", days_in(told), days_in(thought)),
    ):
        lost = sorted(before - {each.removesuffix("'s") for each in after} - after)
        if lost:
            rest = f", which leaves out the {what} {lost[0]!r}. Keep everything the voice says."
            yield field_problem("thought", thought, rest, "fact")
            return
    gone = [at for at in minutes_in(told) if at % 720 not in _halves(set(minutes_in(thought)))]
    if gone:
        rest = (
            f", which leaves out the time {clock_words(gone[0])}. Keep everything the voice says."
        )
        yield field_problem("thought", thought, rest, "fact")
        return
    added = [
        *sorted(_fold_names(names_in(thought)) - own - _add_unpossessed_forms(words_of(told))),
        *sorted(days_in(thought) - days_in(told)),
        *sorted(numbers_in(without_times(thought)) - numbers_in(told) - _list_time_digits(told)),
    ]
    if added:
        rest = f", which adds {added[0]!r}. Do not add anything the voice does not say."
        yield field_problem("thought", thought, rest, "fact")


def another_thought(
    answer: InnerThought, inputs: "HeedInnerVoiceInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a thought that keeps too little of the whisper or adds too much to it."""
    told, thought = stems_of(inputs.whisper), stems_of(answer.thought)
    if len(told) < LEAST or not thought:
        return
    if len(told & thought) < KEPT * len(told):
        rest = ", which is another thought. Say what the voice says, in its own words."
        yield field_problem("thought", answer.thought, rest, "fact")
    elif len(thought - told) > ADDED * len(thought):
        rest = ", which says more than the voice. Leave out what it does not say."
        yield field_problem("thought", answer.thought, rest, "fact")


def of_one_memory(
    answer: Insights, inputs: "ReflectInsightsInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield insights that only repeat one of the memories, or another insight."""
    before: list[list[str]] = [words_of(memory.text) for memory in inputs.memories]
    for number, each in enumerate(answer.insights):
        own = words_of(each.insight)
        again = next((b for b in before if len(b) > 3 and share_in(own, b) >= THE_SAME), None)
        if again is not None:
            rest = ", which only says a memory again. Say what follows from several memories."
            yield field_problem(f"insights.{number}.insight", each.insight, rest, "repeat")
        before.append(own)


def unknown_names(texts: Iterable[tuple[str, str]], shown: CheckContext) -> Iterator[Problem]:
    """Yield texts that name somebody or something not in the prompt."""
    known = _add_unpossessed_forms(words_of(shown.given))
    for path, text in texts:
        strangers = [name for name in names_in(text) if name.casefold() not in known]
        if strangers:
            rest = f", which names {strangers[0]!r}: nobody told you of that. Leave it out."
            yield field_problem(path, text, rest, "fact")


def names_a_stranger(
    answer: InterviewAnswer, inputs: "AnswerInterviewInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield an answer that names a person who is in neither memories nor persona."""
    yield from unknown_names([("answer", answer.answer)], shown)


def speaks_as_a_program(
    answer: InterviewAnswer, inputs: "AnswerInterviewInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield an answer that sounds like a helpful program."""
    if (found := SERVICE.search(answer.answer)) is not None:
        rest = f". {found.group()!r} is what a program says. Answer as {inputs.me.name}."
        yield field_problem("answer", answer.answer, rest, "voice")


def find_invented_facts(
    answer: TalkConclusion, inputs: "ConcludeTalkInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield names, days, numbers or times that did not occur in the talk."""
    texts = [("summary", answer.summary)]
    given = " ".join(line.text for line in inputs.lines)
    yield from unknown_names(texts, shown)
    times, numbers, days = (
        set(minutes_in(shown.given)),
        numbers_in(shown.given),
        days_in(given) & {*RELATIVE_DAYS},
    )
    for path, text in texts:
        wrong = [clock_words(each) for each in minutes_in(text) if each % 720 not in _halves(times)]
        wrong += sorted(numbers_in(text) - numbers) if not minutes_in(text) else []
        wrong += sorted(days_in(text) - days_in(shown.given)) if not days else []
        if wrong:
            rest = f", but {wrong[0]!r} was never said. Keep to what was said in TALK."
            yield field_problem(path, text, rest, "fact")


def find_lost_favours(
    answer: TalkConclusion, inputs: "ConcludeTalkInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a summary that leaves out a favour asked in the talk."""
    told = stems_of(" ".join((answer.summary, *(each.what for each in answer.agreements))))
    for line in inputs.lines:
        favour = _FAVOUR.search(line.text)
        if favour and line.number not in answer.keep and not stems_of(favour["what"]) & told:
            rest = f", but {line.speaker} asked a favour: {favour['what']}. Say so."
            yield field_problem("summary", answer.summary, rest, "fact")
            return


def find_quoted_lines(
    answer: TalkConclusion, inputs: "ConcludeTalkInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a literal line of a talk where a conclusion was asked for."""
    names = [*inputs.others, inputs.me.name]
    begins = re.compile(rf"(?:{'|'.join(re.escape(each) for each in names)})\s*:", re.IGNORECASE)
    texts = [(f"agreements.{n}.what", each.what) for n, each in enumerate(answer.agreements)]
    for path, text in (("summary", answer.summary), *texts):
        if begins.match(text):
            rest = ", which is a line of a talk. Write what it comes to."
            yield field_problem(path, text, rest, "speaker")


def of_a_stranger(
    answer: NewIdentity, inputs: "ReviseIdentityInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield texts that name a person who is in neither memories nor persona."""
    texts = [("currently", answer.currently), ("requirement", answer.requirement)]
    yield from unknown_names(texts, shown)


def _halves(times: set[int]) -> set[int]:
    """Return times in minutes reduced to a 12-hour clock."""
    return {each % 720 for each in times}


def _fold_names(names: Iterable[str]) -> set[str]:
    return {name.casefold() for name in names}


def _add_unpossessed_forms(words: Iterable[str]) -> set[str]:
    """Return words, also without possessive endings, and the parts of hyphenated words."""
    found = set()
    for word in words:
        found |= {word, word.removesuffix("'s"), word.removesuffix("'"), *word.split("-")}
    return found


def _list_time_digits(text: str) -> set[str]:
    """Return the digits of a text's clock times in every notation that may be used for them."""
    times = minutes_in(text)
    halves = [half for each in times for half in (each, each + 720, each - 720)]
    hours = {text for each in halves for text in (str(each // 60), f"{each // 60:02}")}
    return hours | {f"{each % 60:02}" for each in halves}


HEED = (
    SenseCheck(look=not_my_own, action="ask", languages=ENGLISH),
    SenseCheck(look=lost_or_added, action="ask", languages=ENGLISH),
    SenseCheck(look=another_thought, action="ask"),
)
INSIGHTS = (SenseCheck(look=of_one_memory, action="mark"),)
INTERVIEW = (
    SenseCheck(look=speaks_as_a_program, action="mark", languages=ENGLISH),
    SenseCheck(look=names_a_stranger, action="mark", languages=ENGLISH),
)
CONCLUSION = (
    SenseCheck(look=find_quoted_lines, action="mark"),
    SenseCheck(look=find_invented_facts, action="mark", languages=ENGLISH),
    SenseCheck(look=find_lost_favours, action="mark", languages=ENGLISH),
)
IDENTITY = (SenseCheck(look=of_a_stranger, action="mark", languages=ENGLISH),)
