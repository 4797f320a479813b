"""Sense checks of thoughts: whispers keep their content, and insights, dreams, goals are new."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from smolville.graphs.prompt_inputs import PersonaInput
from smolville.graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from smolville.graphs.sense.words import (
    DAYS,
    ORDINARY,
    RELATIVE_DAYS,
    days_in,
    grams,
    names_in,
    numbers_in,
    share_copied,
    share_in,
    stems_of,
    words_of,
)
from smolville.parsers.answer_interview import InterviewAnswer
from smolville.parsers.conclude_talk import TalkConclusion
from smolville.parsers.dream import Dream
from smolville.parsers.heed_inner_voice import InnerThought
from smolville.parsers.problem import PlainWords, Problem, field_problem
from smolville.parsers.reading.sentences import sentences_of
from smolville.parsers.reflect_insights import Insights
from smolville.parsers.revise_goal import GoalRevision
from smolville.parsers.say import SERVICE
from smolville.parsers.wander import NovelIdea

if TYPE_CHECKING:
    from smolville.graphs.answer_interview import AnswerInterviewInput
    from smolville.graphs.conclude_talk import ConcludeTalkInput
    from smolville.graphs.dream import DreamInput
    from smolville.graphs.heed_inner_voice import HeedInnerVoiceInput
    from smolville.graphs.reflect_insights import ReflectInsightsInput
    from smolville.graphs.revise_goal import ReviseGoalInput
    from smolville.graphs.wander import WanderInput

LEAST = 3
"""Minimum number of meaningful words of a whisper that is checked for changes."""
KEPT, ADDED = 0.6, 0.5
"""Minimum share of a whisper's words kept in the thought, and maximum share of new words in it."""
THE_SAME = 0.9
"""Minimum share of a text's words in one memory for it to count as that memory."""
PATCHED = 0.5
"""Minimum share of an insight's words in runs copied from memories for it to say nothing new."""
TALKED_OF = 0.25
"""A summary says something else if at most this share of its words is in the talk."""
FEW = 5
"""Minimum number of meaningful words of a summary that is compared with its talk."""
RUN = 7
"""Number of consecutive words of a persona's history that cannot be a coincidence."""
MOST_BECAUSE = 4
"""Maximum number of memories that an insight may rest on."""
AWAY = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
"""Days from today."""
DECISIONS = ("keep, done", "done or change", "keep or change")
"""Parts of the question that a model may write in place of a goal."""
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'll|i'd|me|my|mine|myself|we|us|our|ours)\b", re.I)
_ASKS = re.compile(
    r"(?:(?P<who>[A-Z]\w+)|\b(?P<she>she|he)|\band)(?: (?:then|also))? "
    r"(?:(?P<asks>ask(?:s|ed)|invite[sd]|tells|told)(?: [\w']+){1,2}?|promise[sd]|agree[sd])"
    r" to (?P<verb>[a-z]+)"
)
"""Who asks for something, or promises it, in a summary: `Ada asked Ben to fetch him`."""
_SUBJECT = re.compile(r"[A-Z][\w-]+(?: [A-Z][\w-]+)*(?=['’]s | [a-z])")


def not_my_own(
    answer: InnerThought, inputs: "HeedInnerVoiceInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a thought that addresses its thinker."""
    if _FIRST_PERSON.search(answer.thought.replace("’", "'")) is None:
        rest = f'. You are {inputs.me.first_name}: write "I", "me" or "my".'
        yield field_problem("thought", answer.thought, rest, "voice")


def lost_facts(
    answer: InnerThought, inputs: "HeedInnerVoiceInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a thought that loses a name, number or day of the whisper; an hour may be respelled."""
    told, thought = inputs.whisper, answer.thought
    own = {word.casefold() for word in inputs.me.name.split()}
    kept = {*words_of(thought), *(each.removesuffix("'s") for each in words_of(thought))}
    kept |= {str(int(each) % 12) for each in numbers_in(thought)}
    facts = [*(name.casefold() for name in names_in(told)), *sorted(days_in(told))]
    facts += [str(int(each) % 12) for each in sorted(numbers_in(told)) if int(each)]
    if lost := next((each for each in facts if each not in kept | own), ""):
        rest = f", which leaves out {lost!r}. Keep everything the voice says."
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


def is_again(text: str, memories: Sequence[str]) -> bool:
    """Return whether a text has nearly all its words from one of these texts."""
    own = words_of(text)
    return any(
        len(told) > LEAST and share_in(own, told) >= THE_SAME for told in map(words_of, memories)
    )


def of_memories(
    answer: Insights, inputs: "ReflectInsightsInput", shown: CheckContext
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
    answer: Insights, inputs: "ReflectInsightsInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield insights about somebody whom none of the memories beneath it names."""
    told = {memory.number: set(words_of(memory.text)) for memory in inputs.memories}
    known = set().union(*told.values())
    for number, each in enumerate(answer.insights):
        subject = _SUBJECT.match(each.insight)
        names = set(words_of(subject.group())) & known - ORDINARY if subject else set()
        cited = set().union(*(told.get(at, set()) for at in each.because))
        possessive = {f"{name}'s" for name in names}
        if names and not names & set(words_of(inputs.me.name)) and not (names | possessive) & cited:
            who = subject.group() if subject else ""
            rest = (
                f", but no memory in `because` is about {who}. Give the numbers of those that "
                "are, or conclude something else."
            )
            yield field_problem(f"insights.{number}.insight", each.insight, rest, "fact")


def of_everything(
    answer: Insights, inputs: "ReflectInsightsInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield insights that name memory after memory as what they rest on."""
    for number, each in enumerate(answer.insights):
        if len(each.because) > MOST_BECAUSE:
            rest = ", which are too many. Write the numbers of the two or three that it rests on."
            where = f"insights.{number}.because"
            yield field_problem(where, PlainWords(f"{len(each.because)} numbers"), rest, "empty")


def speaks_as_a_program(
    answer: InterviewAnswer, inputs: "AnswerInterviewInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield an answer that sounds like a helpful program."""
    if (found := SERVICE.search(answer.answer)) is not None:
        rest = f". {found.group()!r} is what a program says. Answer as {inputs.me.name}."
        yield field_problem("answer", answer.answer, rest, "voice")


def of_another_talk(
    answer: TalkConclusion, inputs: "ConcludeTalkInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a summary of something that was not talked about, or a piece of the persona."""
    names = stems_of(" ".join((inputs.me.name, *inputs.others)))
    said = stems_of(" ".join(line.text for line in inputs.lines))
    history = grams(words_of(f"{inputs.me.learned} {inputs.me.currently}"), RUN)
    pieces = [stems_of(" ".join(run)) for run in grams(words_of(answer.summary), RUN) & history]
    is_copied = any(piece and not piece & said - names for piece in pieces)
    own = stems_of(answer.summary) - names
    if is_copied or (len(own) >= FEW and len(own & said) <= TALKED_OF * len(own)):
        rest = ", but TALK was about other things. Sum up what was said there."
        yield field_problem("summary", answer.summary, rest, "fact")


def swapped(
    answer: TalkConclusion, inputs: "ConcludeTalkInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a summary in which the wrong one of two asks, or promises, what the other asked for.

    Only a plain request counts ("Fetch him", "Will you fetch him?"), made by one of them alone.
    """
    if len(inputs.others) != 1:
        return
    people = (inputs.me.name, inputs.others[0])
    said = {
        who: " ".join(line.text for line in inputs.lines if line.speaker == who) for who in people
    }
    for sentence in sentences_of(answer.summary):
        first = min(people, key=lambda who: sentence.find(who.split()[0]) % (len(sentence) + 1))
        for found in _ASKS.finditer(sentence):
            named = [who for who in people if found["who"] and found["who"] in who.split()]
            who = named[0] if named else first
            if found["she"] and not found["asks"]:
                who = _other(who, people)
            asked_by = who if found["asks"] else _other(who, people)
            other = _other(asked_by, people)
            verb = re.compile(rf"\b{found['verb']}", re.IGNORECASE)
            if _is_asked(said[other], found["verb"]) and not verb.search(said[asked_by]):
                rest = f", but in TALK it was {other} who asked for that. Say who asked whom."
                yield field_problem("summary", answer.summary, rest, "speaker")
                return


def on_another_day(
    answer: TalkConclusion, inputs: "ConcludeTalkInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a summary that moves what was agreed to a day that nobody spoke of."""
    lines = " ".join(line.text for line in inputs.lines)
    today = next((n for n, day in enumerate(DAYS) if day in inputs.now.casefold()), None)
    spoken = days_in(lines) & {*DAYS, *RELATIVE_DAYS}
    if today is None or not spoken:
        return
    known = days_in(" ".join((lines, inputs.relationship, *inputs.plan, *_facts_of(inputs.me))))
    known |= {DAYS[(today + AWAY[word]) % len(DAYS)] for word in spoken & AWAY.keys()}
    if strange := sorted((days_in(answer.summary) & {*DAYS}) - known):
        rest = f", but nobody spoke of {strange[0].title()} in TALK. Keep to the days named there."
        yield field_problem("summary", answer.summary, rest, "fact")


def _facts_of(me: PersonaInput) -> tuple[str, str]:
    return me.learned, me.currently


def _other(who: str, people: tuple[str, str]) -> str:
    return people[who == people[0]]


def _is_asked(text: str, verb: str) -> bool:
    """Return whether a text asks somebody to do something: `Fetch him`, `will you fetch him`."""
    asked = rf"(?:^|[.!?,;:]\s+|\band )(?:please )?{verb}\b|\b(?:will|can|could|would) you {verb}\b"
    return re.search(asked, text, re.IGNORECASE) is not None


def dreams_a_memory(answer: Dream, inputs: "DreamInput", shown: CheckContext) -> Iterator[Problem]:
    """Yield a dream that is an unchanged memory."""
    if is_again(answer.dream, [each.text for each in inputs.memories]):
        rest = ", which is a memory as it was. Mix two memories into something strange."
        yield field_problem("dream", answer.dream, rest, "repeat")


def is_nothing_new(
    answer: NovelIdea, inputs: "WanderInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield an idea that is a memory or a part of the usual day."""
    if is_again(answer.idea, [*(each.text for each in inputs.memories), inputs.usual]):
        rest = ", which is nothing new. Think of something you do not usually do."
        yield field_problem("idea", answer.idea, rest, "repeat")


def is_no_new_goal(
    answer: GoalRevision, inputs: "ReviseGoalInput", shown: CheckContext
) -> Iterator[Problem]:
    """Yield a changed goal that equals the old one, a memory, or a piece of the question."""
    if answer.decision != "change" or answer.goal is None:
        return
    is_asked = any(piece in answer.goal.casefold() for piece in DECISIONS)
    if is_asked or is_again(answer.goal, [inputs.goal, *(each.text for each in inputs.memories)]):
        rest = ', which is nothing new. Write what you want now, or choose "keep".'
        yield field_problem("goal", answer.goal, rest, "repeat")


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
    SenseCheck(look=on_another_day, action="ask", languages=ENGLISH),
)
DREAM_CHECKS = (SenseCheck(look=dreams_a_memory, action="ask"),)
IDEA_CHECKS = (SenseCheck(look=is_nothing_new, action="ask"),)
GOAL_CHECKS = (SenseCheck(look=is_no_new_goal, action="ask"),)
