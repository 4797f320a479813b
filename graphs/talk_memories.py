"""Memories in a talk: which may be recalled, which are news to the others, and which were told.

Texts are compared by the stems of their words, in any language. At the end are the relations
between people: relationship, feeling, closeness and shared events.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from smolville.agents import closeness as close
from smolville.agents.action import ON_THE_WAY, describe_action
from smolville.agents.memory import (
    Memory,
    MemoryKind,
    is_confidential,
    is_quote,
    quoted_words,
    step_of,
)
from smolville.agents.mind import COURSE_KEPT, SHARED_KEPT, Impression, Mind
from smolville.agents.plan import Block, rest_of_day
from smolville.agents.times import DAY_SECONDS, clock, minute_of
from smolville.graphs.context import (
    Thinker,
    as_done,
    format_past_time,
    format_relations,
    make_planned_cards,
    relation,
)
from smolville.graphs.perceive import WRITTEN
from smolville.graphs.recall import Keep, is_passing
from smolville.graphs.sense import stems_of, words_of
from smolville.graphs.state import TalkState
from smolville.parsers.prompt_inputs import PlannedCard, SpokenLine
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


EVENTS_SHOWN = 1
"""Maximum number of shared events shown; the latest are shown, and others may be recalled."""

MET = "You have talked once: an acquaintance."
FRIENDLY = "You have talked a few times: a friendly acquaintance."
FRIEND = "You have talked often: a friend."
GROWN = {MET: (3, FRIENDLY), FRIENDLY: (6, FRIEND)}
"""For a relationship that began in town: the number of talks after which it grows, and the
relationship that follows."""
COLD = frozenset(("annoyed", "hurt"))
"""Feelings with which a relationship does not grow."""

TOLD_KEPT = 12
"""Maximum number of memories known to have been told to a person; the latest are known."""


def bond(me: Thinker, mind: Mind, name: str, about: str = "") -> str:
    """Return the relationship with `name` and, once they have talked, the closeness felt."""
    told, impression = relation(me, mind, name, about), mind.impressions.get(name)
    if impression is None or impression.closeness is None:
        return told
    return f"{told} {close.closeness_in_words(impression.closeness)}"


def shared_events(me: Thinker, mind: Mind, name: str) -> str:
    """Return recent topics of talks with `name` as a sentence; empty before any talk."""
    impression = mind.impressions.get(name)
    if impression is None or not impression.summary:
        return ""
    events = [*impression.shared, (impression.at, impression.summary)][-EVENTS_SHOWN:]
    told = "; ".join(f"{format_past_time(me, at)}: {text.rstrip('.')}" for at, text in events)
    return f"You talked {told}."


def bonds(me: Thinker, mind: Mind, names: Sequence[str], about: Mapping[str, str]) -> str:
    """Return relationships with the others, feelings after the last talk, and that talk's topic.

    `about` describes visitors. If there is more than one other person, each is named.
    """
    found = {}
    for name in names:
        impression = mind.impressions.get(name)
        feeling = impression.feeling if impression else ""
        if feeling and " " not in feeling:
            feeling = f"After your last talk you felt {feeling}."
        events = shared_events(me, mind, name)
        told = (bond(me, mind, name, about.get(name, "")), feeling, events)
        found[name] = " ".join(filter(None, told))
    return format_relations(found)


def impressions_after(
    me: Thinker,
    mind: Mind,
    others: tuple[str, ...],
    *,
    feeling: str,
    summary: str,
    lines: Sequence[SpokenLine],
    promised: bool,
) -> dict[str, Impression]:
    """Return the agent's updated impressions of the others, after a talk that ends now."""
    told_now = told_in(me, [line.text for line in lines])
    found = {}
    for other in others:
        old = mind.impressions.get(other)
        told = dict.fromkeys((*(old.told if old else ()), *told_now))
        seen = impression_after(
            old,
            relation(me, mind, other),
            is_known=other in me.persona.relationships,
            feeling=feeling,
            summary=summary,
            at=me.surroundings.at,
            lines=len(lines),
            promised=promised,
        )
        found[other] = replace(seen, told=tuple(told)[-TOLD_KEPT:])
    return found


def impression_after(
    old: Impression | None,
    relationship: str,
    *,
    is_known: bool,
    feeling: str,
    summary: str,
    at: int,
    lines: int = 0,
    promised: bool = False,
) -> Impression:
    """Return the impression after a talk that ended at the town second `at`.

    `relationship` is the relationship before the talk. `is_known` says that it comes from the
    persona file; otherwise it has developed in town.
    """
    talks = (old.talks if old else 0) + 1
    bond = relationship if is_known or old else MET
    least, grown = GROWN.get(bond, (0, ""))
    if grown and talks >= least and feeling not in COLD:
        bond = grown
    known = old.course[0][1] if old and old.course else None
    start = close.first_closeness(relationship, is_known=is_known) if known is None else known
    before = start if old is None or old.closeness is None else old.closeness
    since = old.at if old else at
    days = (at - since) / DAY_SECONDS
    closeness = close.after_talk(
        before, start, days=days, feeling=feeling, lines=lines, promised=promised
    )
    first, *later = (old.course if old else ()) or ((since, start),)
    shared = (*old.shared, (old.at, old.summary)) if old and old.summary else ()
    last = {text: when for when, text in shared if text != summary}
    return Impression(
        relationship=bond,
        feeling=feeling,
        summary=summary,
        at=at,
        talks=talks,
        closeness=closeness,
        course=(first, *later[-(COURSE_KEPT - 2) :], (at, closeness)),
        shared=tuple((when, text) for when, text in shared if last.get(text) == when)[
            -SHARED_KEPT:
        ],
    )
