"""Memories in a talk: which may be recalled, which are news to the others, and which were told.

Texts are compared by the stems of their words, in any language.
"""

from collections.abc import Iterable, Sequence

from smolville.agents.action import ON_THE_WAY, describe_action
from smolville.agents.memory import (
    Memory,
    MemoryKind,
    is_confidential,
    is_quote,
    quoted_words,
    step_of,
)
from smolville.agents.mind import Mind
from smolville.agents.plan import Block, rest_of_day
from smolville.agents.times import DAY_SECONDS, clock, minute_of
from smolville.graphs.context import Thinker, as_done, make_planned_cards, relation
from smolville.graphs.perceive import WRITTEN
from smolville.graphs.recall import Keep, is_passing
from smolville.graphs.sense import stems_of, words_of
from smolville.graphs.state import TalkState
from smolville.parsers.prompt_inputs import PlannedCard
from smolville.parsers.reading.sentences import sentences_of

SHOWN, OF_LINE = 5, 3
"""Number of memories shown to a speaker, and how many of them belong to the other's last line
alone; all do if it asks something."""
NOTABLE = 5
"""Minimum importance of an event that is no everyday one."""
SAID, TOLD = 0.8, 0.5
"""Minimum share of a memory's words in one sentence for the memory to be in the prompt already, and
of the shorter text's words for a memory to have been told by a sentence."""
LEAST = 3
"""Minimum number of meaningful words of a sentence that tells something."""
LOOKED_AT, NEWS_SECONDS = 100, 2 * DAY_SECONDS
"""Number of latest memories among which news is sought, and the age from which it is none."""
DEEDS, DEEDS_SECONDS, PLANNED, NAMED = 3, 4 * 3600, 12, 3
"""Number of own deeds shown and their age, and number of lines of the plan and of people named."""
BEGUN = 4
"""Number of lines after which a talk may end because nothing new is said."""
LONG = 4
"""Minimum number of letters of a word that counts as meaningful."""
OLD = 0.6
"""Minimum share of a line's words that were said before for the line to be nothing new."""

Stems = set[str]
_EVENTS: tuple[MemoryKind, ...] = ("event",)


def may_end(state: TalkState, text: str) -> bool:
    """Return whether a talk may end with this line: all have spoken, and no question is left open.

    Small models may end a talk with the very question that begins it.
    """
    have_spoken = state.meeting.have_all_spoken(state.lines, state.agent)
    return have_spoken and not is_question(text)


def is_question(text: str) -> bool:
    """Return whether a sentence, or the last one of a text, is a question."""
    return text.rstrip("\"'”’») ").endswith("?")


def says_nothing_new(state: TalkState, text: str) -> bool:
    """Return whether most words of a line occurred before, once a talk is past its beginning.

    Small models do not end a talk; they keep thanking each other.
    """
    words = {word for word in words_of(text) if len(word) >= LONG}
    said = {word for line in state.lines for word in words_of(line.text)}
    return len(state.lines) >= BEGUN and len(words & said) >= OLD * len(words)


def is_everyday(memory: Memory) -> bool:
    """Return whether a memory is a deed or sight as there are many every day.

    What a rule does not know as routine has no rating at first, and is none.
    """
    return memory.kind == "event" and (memory.importance or NOTABLE) < NOTABLE


def what_is_asked(line: str, names: Sequence[str]) -> list[str]:
    """Return the texts by which to recall what a line is about: its questions, then the whole.

    A question that says nothing but names of the people in the talk brings nothing to mind.
    """
    people = stems_of(" ".join(names))
    asked = [each for each in sentences_of(line) if is_question(each)]
    whole = [line] if stems_of(line) - people else []
    return list(dict.fromkeys((*(each for each in asked if stems_of(each) - people), *whole)))


def recalled_in_talk(line: Sequence[str], names: Sequence[str], told: Iterable[str]) -> Keep:
    """Return which memories may be recalled in a talk of the people `names`.

    What the texts `told` say or quote stands in the prompt already, as do the plan and the latest
    deeds. Everyday sights and deeds come to mind only at a line that has a word in common with
    them, other than a name of these people. `line` is what the others' last line asks; `names`
    begin with the speaker's own.
    """
    texts = tuple(told)
    people, said = stems_of(" ".join(names)), _by_sentence(texts)
    asked = {each: stems_of(each) - people for each in line}

    def keep(memory: Memory, query: str) -> bool:
        own = _content(memory) - people
        words = quoted_words(memory.text)
        if words and any(words in text for text in texts):
            return False
        if memory.predicate == "plan" or is_passing(memory):
            return False
        if not own or _share(own, said) >= SAID:
            return False
        return bool(own & asked.get(query, set())) or not is_everyday(memory)

    return keep


def find_news(me: Thinker, mind: Mind, names: Sequence[str], said: Sequence[str]) -> Memory | None:
    """Return the best memory that is news to the others; None for none.

    What the agent has read in a letter or notice comes first, then what is important, the latest
    first. A talk in which something was told in confidence is no news. `said` are the lines of the
    talk so far.
    """
    at, people = me.surroundings.at, stems_of(" ".join((me.name, *names)))
    told = list[str]()
    for name in names:
        seen = mind.impressions.get(name)
        told += seen.told if seen else ()
        told += [each.text for each in _shared_with(me, name)]
    known, lines = _by_sentence(told), _by_sentence(said)
    latest = me.stream.latest(LOOKED_AT)
    secret = {talk for memory in latest if is_confidential(memory) for talk in memory.evidence}
    found = [
        memory
        for memory in latest
        if at - memory.created < NEWS_SECONDS
        and memory.id not in secret
        and may_be_told(me, memory)
        and not any(mentions(memory.text, name) for name in names)
        and not _was_told(memory, people, lines)
        and not is_told(_content(memory) - people, known)
    ]
    return max(
        found,
        key=lambda each: (each.subject in WRITTEN, each.weight, each.created, each.id),
        default=None,
    )


def may_be_told(me: Thinker, memory: Memory) -> bool:
    """Return whether a memory is of a talk, or of something that happened, and no secret.

    Thoughts, plans, dreams and deeds of one's own are told by those who think of it.
    """
    if is_confidential(memory):
        return False
    if memory.kind == "event":
        is_big = memory.predicate == "says" or memory.weight >= NOTABLE
        return is_big and memory.subject != me.name
    return memory.kind == "talk" and ": " in memory.text


def told_in(me: Thinker, lines: Sequence[str]) -> list[str]:
    """Return the texts of the agent's memories that somebody has told in the lines of a talk."""
    own, said = stems_of(me.name), _by_sentence(lines)
    return [
        memory.text
        for memory in me.stream.latest(LOOKED_AT)
        if may_be_told(me, memory) and _was_told(memory, own, said)
    ]


def _was_told(memory: Memory, people: Stems, said: Sequence[Stems]) -> bool:
    """Return whether a sentence said later tells a memory, leaving the names of `people` aside.

    A talk is told by one that names whom it was with, and one more thing of it: people say in
    other words what was said to them.
    """
    content, others = _content(memory) - people, stems_of(memory.object)
    if memory.kind == "talk" and any(each & others and each & (content - others) for each in said):
        return True
    return is_told(content, said)


def is_told(memory: Stems, said: Sequence[Stems]) -> bool:
    """Return whether one sentence has most words of a memory, or consists of them."""
    return any(
        len(memory & each) >= max(TOLD * min(len(memory), len(each)), min(LEAST, len(memory)))
        for each in said
        if len(each) >= LEAST
    )


def _shared_with(me: Thinker, name: str) -> list[Memory]:
    latest = me.stream.latest(LOOKED_AT, ("talk", "thought"))
    return [each for each in latest if step_of(each.id) == "conclude_talk" and name in each.text]


def mentions(text: str, name: str) -> bool:
    """Return whether a text has somebody's name, or first name, as a word."""
    words = text.replace("’", "'").split()
    plain = {word.strip(".,;:!?\"'()").removesuffix("'s") for word in words}
    return name in text or name.split()[0] in plain


def plan_from_now(me: Thinker, mind: Mind) -> tuple[PlannedCard, ...]:
    """Return the agent's plan for the rest of the day."""
    blocks: Sequence[Block] = mind.plan.blocks if mind.plan else ()
    return make_planned_cards(rest_of_day(blocks, minute_of(me.surroundings.at), PLANNED))


def latest_deeds(me: Thinker, doing: str) -> tuple[PlannedCard, ...]:
    """Return what the agent did in the last hours, as it remembers it, without what it is doing."""
    at = me.surroundings.at
    events = me.stream.latest(LOOKED_AT, _EVENTS)
    deeds = [
        PlannedCard(time=clock(minute_of(each.created)), activity=_without_name(me, each.text))
        for each in events
        if step_of(each.id) == "act" and at - each.created <= DEEDS_SECONDS
    ]
    now = _without_name(me, describe_action(me.name, doing))
    return tuple([each for each in deeds if each.activity != now][-DEEDS:])


def _without_name(me: Thinker, deed: str) -> str:
    """Return the activity in the sentence about an own deed, without the name before it."""
    activity = deed.removeprefix(me.name).removeprefix(":").strip().removeprefix("is ")
    return as_done(activity) if activity.startswith(ON_THE_WAY) else activity


def who_else_is_here(me: Thinker, names: Sequence[str]) -> tuple[str, ...]:
    """Return the people in the same room who do not take part in the talk, and what they do."""
    place = me.surroundings.body.place
    return tuple(
        f"{each.subject} ({each.activity})"
        for each in me.surroundings.percepts
        if each.is_person and each.place == place and each.subject not in names
    )[:NAMED]


def named_people(me: Thinker, mind: Mind, line: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return who the other people that a line names are to the agent; only people it knows."""
    known = sorted({*me.persona.relationships, *mind.impressions} - {me.name, *names})
    found = [name for name in known if mentions(line, name)]
    return tuple(f"{name}: {relation(me, mind, name)}" for name in found[:NAMED])


def _content(memory: Memory) -> Stems:
    """Return the stems of what a memory says, without who talked with whom."""
    is_about_talk = memory.kind == "talk" or is_quote(memory.text)
    return stems_of(memory.text.partition(": ")[2] if is_about_talk else memory.text)


def _by_sentence(texts: Iterable[str]) -> list[Stems]:
    return [stems_of(each) for text in texts for each in sentences_of(text)]


def _share(own: Stems, said: Sequence[Stems]) -> float:
    return max((len(own & each) / len(own) for each in said), default=0.0)
