"""Prepare by rule the reasons for a reaction to newcomers, for a small model to choose from.

The reasons that such models write themselves mix up who plans what (docs/small-models.md), and the
talk then repeats the mistake. So code writes the reasons: an invitation, a piece of news or a
question for somebody, or the thinker's unfinished activity.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from agents.action import WALKING
from graphs.concerns import (
    IDEA,
    PRIVATE,
    as_mine,
    in_first_person,
    is_event,
    is_told,
    occupies,
    told_in,
)
from graphs.frame.happenings import event_in
from graphs.meeting import is_stranger
from graphs.prompt_inputs import NeedCard, PersonaInput, PersonCard, PromptInput, RecalledMemory
from graphs.spoken_times import is_going_on, is_over
from graphs.talk_memories import PastTalk, told_to, was_asked
from models.standin.words import lower_first, stems

MOST_PEOPLE = 2
MOST_NEWS = 2
TO_HEAR = "I would like to hear how "
"""Beginning of the reason for a talk with somebody to whom there is nothing to tell."""
INVITES = "I want to invite "
ASKS = "I want to ask "
TELLS = "I want to tell "
"""Beginnings of reasons: to invite people, to ask them for something, and to tell them
something."""


class PreparedReason(PromptInput):
    """A reason that may be chosen, and the reaction to which it leads."""

    text: str
    choice: Literal["continue", "talk", "now", "later"]
    person: str = ""


def prepare_reasons(
    me: PersonaInput,
    doing: str,
    people: Sequence[PersonCard],
    memories: Sequence[RecalledMemory],
    talks: Sequence[PastTalk] = (),
    need: NeedCard | None = None,
    *,
    now: str = "",
) -> tuple[PreparedReason, ...]:
    """Return reasons to talk with those who can talk, to attend to a need, and to go on."""
    found: dict[str, PreparedReason] = {}
    for person in [each for each in people if each.can_talk][:MOST_PEOPLE]:
        for text in _to_talk(me, person, memories, talks, now):
            found.setdefault(text, PreparedReason(text=text, choice="talk", person=person.name))
    if need is not None:
        felt = need.told.replace("You are", "I am", 1).replace("You have", "I have", 1)
        now, later = f"{felt} I see to it at once.", f"{felt} I see to it at {need.later}."
        found[now] = PreparedReason(text=now, choice="now")
        found[later] = PreparedReason(text=later, choice="later")
    if need is None and any(each.text.startswith(INVITES) for each in found.values()):
        # Whoever gives a party wants to ask those who do not know of it: that is no choice.
        return tuple(found.values())
    go_on = _to_go_on(doing)
    found.setdefault(go_on, PreparedReason(text=go_on, choice="continue"))
    return tuple(found.values())


def _to_go_on(doing: str) -> str:
    """Return a reason to go on with the current activity."""
    if doing.startswith(WALKING):
        return f"I am on my way to {doing.removeprefix(WALKING)}."
    if doing.split(" ")[0].endswith("ing"):
        return f"I am in the middle of {as_mine(doing)}."
    return "I would rather go on as before."


def _to_talk(
    me: PersonaInput,
    person: PersonCard,
    memories: Sequence[RecalledMemory],
    talks: Sequence[PastTalk],
    now: str,
) -> Iterator[str]:
    """Yield reasons to talk with somebody, the best first."""
    name, first = person.name, person.name.split()[0]
    for what in _to_ask(first, memories, talks, now):
        yield f"{ASKS}{name} to {what}."
    known = [told_in(each.text) for each in memories if first in each.text]
    known += [told_in(person.last_talk), *told_to(name, talks)]
    mine = [each.text for each in memories if each.text.startswith(("I ", "My "))]
    news = 0
    for fact in [*mine, *in_first_person(me.currently, me)]:
        if is_stranger(person.relationship) and not is_event(fact):
            continue  # Nobody breaks off what they do to tell a stranger of their work.
        is_fresh = occupies(fact) and not stems(fact) & PRIVATE and not is_told(fact, known)
        if not is_fresh or fact.startswith("I think") or news == MOST_NEWS:
            continue
        known.append(fact)
        news += 1
        if is_event(fact):
            yield f"{INVITES}{name} to the {event_in(fact)}."
        else:
            yield f"{TELLS}{name} that {lower_first(fact).rstrip('.')}."
    if is_stranger(person.relationship):
        yield f"I would like to get to know {name}."
    else:
        yield f"{TO_HEAR}{name} is."


def _to_ask(
    first: str, memories: Sequence[RecalledMemory], talks: Sequence[PastTalk], now: str
) -> Iterator[str]:
    """Yield the favours to ask of a person, without favours for an event that has begun."""
    events = (each.text for each in memories if is_event(each.text) and _has_begun(each.text, now))
    begun = {event_in(each).rpartition(" ")[2] for each in events} - {""}
    for memory in memories:
        idea = IDEA.match(memory.text)
        if idea is None or idea["name"].split()[0] != first or was_asked(idea["what"], talks):
            continue
        if not any(each in idea["what"] for each in begun):
            yield idea["what"]


def _has_begun(event: str, now: str) -> bool:
    """Return whether an event is going on or is over."""
    return bool(now) and (is_going_on(event, now) or is_over(event, now))
