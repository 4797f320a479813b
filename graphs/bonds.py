"""Relations between people: relationship, feeling, closeness, shared events, and what was told."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from smolville.agents import closeness as close
from smolville.agents.mind import COURSE_KEPT, SHARED_KEPT, Impression, Mind
from smolville.agents.times import DAY_SECONDS
from smolville.graphs.context import Thinker, format_past_time, format_relations, relation
from smolville.graphs.talk_memories import told_in
from smolville.parsers.prompt_inputs import SpokenLine

TOLD = 1
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
    events = [*impression.shared, (impression.at, impression.summary)][-TOLD:]
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
