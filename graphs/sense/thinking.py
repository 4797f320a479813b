"""Sense checks of thoughts: whispers keep their content, and insights, dreams, goals are new."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from smolville.graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from smolville.graphs.sense.words import (
    days_in,
    names_in,
    numbers_in,
    share_copied,
    share_in,
    stems_of,
    words_of,
)
from smolville.parsers.answer_interview import AnswerInterviewInput, InterviewAnswer
from smolville.parsers.conclude_talk import ConcludeTalkInput, TalkConclusion
from smolville.parsers.heed_inner_voice import HeedInnerVoiceInput, InnerThought
from smolville.parsers.problem import PlainWords, Problem, field_problem
from smolville.parsers.reading.sentences import sentences_of
from smolville.parsers.reflect_insights import Insights, ReflectInsightsInput
from smolville.parsers.say import SERVICE

LEAST = 3
"""Minimum number of meaningful words of a text that is compared."""
KEPT, ADDED = 0.6, 0.5
"""Minimum share of a whisper's words kept in the thought, and maximum share of new words in it."""
THE_SAME = 0.9
"""Minimum share of a text's words in one memory for it to count as that memory."""
PATCHED, RUN = 0.5, 7
"""Minimum share of the words of an insight longer than `RUN` that are copied from memories."""
TALKED_OF, FEW = 0.25, 5
"""A summary of at least `FEW` meaningful words says something else than its talk if at most this
share of them was said there."""
MOST_BECAUSE = 4
"""Maximum number of memories that an insight may rest on."""
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'll|i'd|me|my|mine|myself|we|us|our|ours)\b", re.I)
_ASKS = re.compile(
    r"(?:(?P<who>[A-Z]\w+)|\b(?P<she>she|he)|\band)(?: (?:then|also))? "
    r"(?:(?P<asks>ask(?:s|ed)|invite[sd]|tells|told)(?: [\w']+){1,2}?|promise[sd]|agree[sd])"
    r" to (?P<verb>[a-z]+)"
)
"""Who asks for something, or promises it, in a summary: `Ada asked Ben to fetch him`."""
_SUBJECT = re.compile(r"[A-Z][\w-]+(?: [A-Z][\w-]+)*(?=['’]s | [a-z])")


def not_my_own(
    answer: InnerThought, inputs: HeedInnerVoiceInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield a thought that addresses its thinker."""
    if _FIRST_PERSON.search(answer.thought.replace("’", "'")) is None:
        rest = f'. You are {inputs.me.first_name}: write "I", "me" or "my".'
        yield field_problem("thought", answer.thought, rest, "voice")


def lost_facts(
    answer: InnerThought, inputs: HeedInnerVoiceInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield a thought that loses a name, number or day of the whisper; an hour may be respelled."""
    told, thought = inputs.whisper, answer.thought
    own = {word.casefold() for word in inputs.me.name.split()}
    kept = {word.removesuffix("'s") for word in words_of(thought)}
    kept |= {str(int(each) % 12) for each in numbers_in(thought)}
    facts = [*(name.casefold() for name in names_in(told)), *sorted(days_in(told))]
    facts += [str(int(each) % 12) for each in sorted(numbers_in(told)) if int(each)]
    if lost := next((each for each in facts if each not in kept | own), ""):
        rest = f", which leaves out {lost!r}. Keep everything the voice says."
        yield field_problem("thought", thought, rest, "fact")


def another_thought(
    answer: InnerThought, inputs: HeedInnerVoiceInput, shown: CheckContext
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


def is_again(text: str, memories: Sequence[str]) -> bool:
    """Return whether a text has nearly all its words from one of these texts."""
    own = words_of(text)
    return any(
        len(told) > LEAST and share_in(own, told) >= THE_SAME for told in map(words_of, memories)
    )


def is_nothing_new(field: str, told: Callable[[Any], Sequence[str]], advice: str) -> Any:
    """Return a check that a field is none of the texts in the inputs that `told` returns."""

    def look(answer: Any, inputs: Any, shown: CheckContext) -> Iterator[Problem]:
        memories = [*(each.text for each in inputs.memories), *told(inputs)]
        text = getattr(answer, field)
        if text and is_again(text, memories):
            yield field_problem(field, text, f", which is nothing new. {advice}", "repeat")

    return SenseCheck(look=look, action="ask")


def of_memories(
    answer: Insights, inputs: ReflectInsightsInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield insights that repeat memories, one or several in a row, or another insight."""
    before = [memory.text for memory in inputs.memories]
    told = [words_of(text) for text in before]
    for number, each in enumerate(answer.insights):
        if is_again(each.insight, before) or (
            len(words := words_of(each.insight)) > RUN and share_copied(words, told) >= PATCHED
        ):
            rest = ", which only says memories again. Say what follows from several of them."
            yield field_problem(f"insights.{number}.insight", each.insight, rest, "repeat")
        before.append(each.insight)


def without_evidence(
    answer: Insights, inputs: ReflectInsightsInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield insights about somebody whom none of the memories beneath it names."""
    told = {memory.number: stems_of(memory.text, 1) for memory in inputs.memories}
    known, own = set().union(*told.values()), stems_of(inputs.me.name, 1)
    for number, each in enumerate(answer.insights):
        subject = _SUBJECT.match(each.insight)
        names = stems_of(subject.group(), 1) & known if subject else set()
        cited = set().union(*(told.get(at, set()) for at in each.because))
        if subject and names and not names & (own | cited):
            rest = (
                f", but no memory in `because` is about {subject.group()}. Give the numbers of "
                "those that are, or conclude something else."
            )
            yield field_problem(f"insights.{number}.insight", each.insight, rest, "fact")


def of_everything(
    answer: Insights, inputs: ReflectInsightsInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield insights that name memory after memory as what they rest on."""
    for number, each in enumerate(answer.insights):
        if len(each.because) > MOST_BECAUSE:
            rest = ", which are too many. Write the numbers of the two or three that it rests on."
            where = f"insights.{number}.because"
            yield field_problem(where, PlainWords(f"{len(each.because)} numbers"), rest, "empty")


def speaks_as_a_program(
    answer: InterviewAnswer, inputs: AnswerInterviewInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield an answer that sounds like a helpful program."""
    if (found := SERVICE.search(answer.answer)) is not None:
        rest = f". {found.group()!r} is what a program says. Answer as {inputs.me.name}."
        yield field_problem("answer", answer.answer, rest, "voice")


def of_another_talk(
    answer: TalkConclusion, inputs: ConcludeTalkInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield a summary of something that was not talked about."""
    names = stems_of(" ".join((inputs.me.name, *inputs.others)))
    said = stems_of(" ".join(line.text for line in inputs.lines))
    own = stems_of(answer.summary) - names
    if len(own) >= FEW and len(own & said) <= TALKED_OF * len(own):
        rest = ", but TALK was about other things. Sum up what was said there."
        yield field_problem("summary", answer.summary, rest, "fact")


def swapped(
    answer: TalkConclusion, inputs: ConcludeTalkInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield a summary in which the wrong one of two asks, or promises, what the other asked for.

    Only a plain request counts ("Fetch him", "Will you fetch him?"), made by one of them alone.
    """
    me, other = inputs.me.name, inputs.others[0]
    said = {
        who: " ".join(each.text for each in inputs.lines if each.speaker == who)
        for who in (me, other)
    }
    for sentence in sentences_of(answer.summary) if len(inputs.others) == 1 else ():
        first = min(said, key=lambda who: sentence.find(who.split()[0]) % (len(sentence) + 1))
        for found in _ASKS.finditer(sentence):
            who = next((each for each in said if (found["who"] or "-") in each.split()), first)
            if found["she"] and not found["asks"]:
                who = me if who == other else other
            asker, asked = (who, me if who == other else other)
            if not found["asks"]:
                asker, asked = asked, asker
            verb = found["verb"]
            plain = rf"(?:^|[.!?,;:]\s+|\band |\b(?:will|can|could|would) you )(?:please )?{verb}\b"
            is_asked = re.search(plain, said[asked], re.I)
            if is_asked and not re.search(rf"\b{verb}", said[asker], re.I):
                rest = f", but in TALK it was {asked} who asked for that. Say who asked whom."
                yield field_problem("summary", answer.summary, rest, "speaker")
                return


HEED = (
    SenseCheck(look=not_my_own, action="ask", languages=ENGLISH),
    SenseCheck(look=lost_facts, action="ask", languages=ENGLISH),
    SenseCheck(look=another_thought, action="ask"),
)
INSIGHTS = (
    SenseCheck(look=of_memories, action="mark"),
    SenseCheck(look=of_everything, action="mark"),
    SenseCheck(look=without_evidence, action="mark", languages=ENGLISH),
)
INTERVIEW = (SenseCheck(look=speaks_as_a_program, action="mark", languages=ENGLISH),)
CONCLUSION = (
    SenseCheck(look=of_another_talk, action="ask", languages=ENGLISH),
    SenseCheck(look=swapped, action="ask", languages=ENGLISH),
)
DREAM_CHECKS = (
    is_nothing_new("dream", lambda inputs: (), "Mix two memories into something strange."),
)
IDEA_CHECKS = (
    is_nothing_new(
        "idea", lambda inputs: (inputs.usual,), "Think of something you do not usually do."
    ),
)
GOAL_CHECKS = (
    is_nothing_new("goal", lambda inputs: (inputs.goal,), 'Write another one, or choose "keep".'),
)
