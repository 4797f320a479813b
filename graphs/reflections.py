"""Prepare by rule the insights from which a small model chooses.

Asked an open question, a model of one or two billion parameters repeats a memory, or joins two that
have nothing to do with each other (docs/small-models.md). So code pairs the thinker's concerns with
the people in its memories, and prepares whole sentences: whom to ask for what, whom to tell, what
to hear more about. Each names the memories that it is based on.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from graphs.concerns import (
    PRIVATE,
    in_first_person,
    is_event,
    is_told,
    occupies,
    things_in,
    told_in,
)
from graphs.frame.happenings import event_in, find_told_events
from graphs.prompt_inputs import PersonaInput, PromptInput, RecalledMemory
from graphs.ready_thoughts import (
    get_on_with,
    private_thought,
    what_was_done,
    what_was_seen,
    wonder_about,
)
from graphs.talk_memories import PastTalk, told_to, was_asked
from models.standin.words import lower_first, stems

QUIET = "For now I get on with my day."
"""The insight for the case that nothing new has come to mind."""
MOST = 6
"""Maximum number of prepared insights."""
_NEEDS = re.compile(r"\bI need (?P<things>.+?)(?: for (?P<end>[^,.]+))?[.]?$")
_SOMEONE = re.compile(r"\b(?:someone|somebody) to (?P<do>.+)$")
_NAME = re.compile(r"\b[A-Z][\w'’-]+ [A-Z][\w'’-]+")
_PLAIN_VERBS = stems("play make do give help bring take come")
"""Verbs that do not show what somebody is good at."""
_ROOT = 4
"""Minimum number of letters that words of one trade have in common: a painter, paintings."""
_TALK = re.compile(r"^[A-Z].* talked with (?P<name>[A-Z][\w'’-]+ [A-Z][\w'’-]+)\b")


class PreparedInsight(PromptInput):
    """A prepared insight that may be chosen, with the memories on which it is based."""

    text: str
    because: tuple[int, ...]
    """The numbers of the memories on which it is based."""


def prepare_insights(
    me: PersonaInput,
    memories: Sequence[RecalledMemory],
    talks: Sequence[PastTalk] = (),
    thought: Sequence[str] = (),
) -> tuple[PreparedInsight, ...]:
    """Return insights about the thinker's concerns and the people in its memories.

    Anything already told or asked in `talks`, or already `thought`, is left out.
    """
    people = _people(me, memories)
    news = _news(me, memories, people, talks)
    kinds = (_ideas(me, memories, people, talks), news, _about(me, memories, talks))
    mixed = [each for row in zip_longest(*kinds) for each in row if each is not None]
    told = [*(memory.text for memory in memories), *thought]
    fresh: dict[str, PreparedInsight] = {}
    for each in mixed:
        if each.text not in told:
            fresh.setdefault(each.text, each)
    if not fresh and memories:
        found = what_was_done(me, memories) or what_was_seen(me, memories)
        text, because = found or (QUIET, [each.number for each in memories[-2:]])
        return _seen(me, people, memories, told) or (_insight(text, because),)
    return tuple(fresh.values())[:MOST]


def _seen(
    me: PersonaInput,
    people: Sequence[tuple[str, int]],
    memories: Sequence[RecalledMemory],
    told: Sequence[str],
) -> tuple[PreparedInsight, ...]:
    """Return the thought that it was good to see somebody, unless it was thought before."""
    family = me.name.split()[-1]
    seen = {
        name: memory.number
        for name, _ in people[:2]
        for memory in memories
        if name.split()[-1] != family and memory.text.startswith((f"{name} is ", f"{name} said: "))
    }
    found = (_insight(f"It was good to see {name}.", [number]) for name, number in seen.items())
    return tuple(each for each in found if each.text not in told)


def _people(me: PersonaInput, memories: Sequence[RecalledMemory]) -> list[tuple[str, int]]:
    """Return the people in some memories, latest first, each with a memory about them."""
    found: dict[str, int] = {}
    for memory in reversed(memories):
        about = memory.text if " said: " not in memory.text else memory.text.partition(" said: ")[0]
        if (
            memory.text.startswith(("I ", "My "))
            or " talked with " in about
            or about != memory.text
        ):
            for name in _NAME.findall(re.sub(r"['’]s\b", "", about)):
                if name != me.name and _is_person(name, memory.text, memories):
                    found.setdefault(name, memory.number)
    return list(found.items())


def _is_person(name: str, text: str, memories: Sequence[RecalledMemory]) -> bool:
    """Return whether the memories show that a name is a person's."""
    known = (
        r"(?:talked with|chess with|along the river with|known|trust|tell|employ|let|poured"
        rf"|father|mother|friend|brother|sister) {re.escape(name)}"
    )
    spoke = f"{name} said: "
    return any(re.search(known, each.text) or each.text.startswith(spoke) for each in memories)


def _concerns(
    me: PersonaInput, memories: Sequence[RecalledMemory]
) -> list[tuple[str, tuple[int, ...]]]:
    """Return the thinker's concerns in the first person, with the memories that state them."""
    found: list[tuple[str, tuple[int, ...]]] = [
        (each.text, (each.number,)) for each in memories if _is_concern(each.text)
    ]
    if not found:
        own = [each for each in in_first_person(me.currently, me) if occupies(each)]
        found = [(each, ()) for each in own]
    return found


def _is_concern(text: str) -> bool:
    is_mine = text.startswith(("I ", "My ")) and not text.startswith("I think")
    return is_mine and occupies(text) and not stems(text) & PRIVATE


def _ideas(
    me: PersonaInput,
    memories: Sequence[RecalledMemory],
    people: Sequence[tuple[str, int]],
    talks: Sequence[PastTalk],
) -> Iterator[PreparedInsight]:
    """Yield insights about whom to ask for something that is needed."""
    for memory in memories:
        need = _NEEDS.search(memory.text) if memory.text.startswith("I ") else None
        if need is None:
            continue
        end = f" for {need['end']}" if need["end"] else ""
        helper = _SOMEONE.search(need["things"])
        # What somebody makes themselves, like a painter pictures, they ask nobody for.
        things = [each for each in things_in(need["things"]) if not _makes(me, each)]
        plain = [each for each in things if not _SOMEONE.search(each)]
        if helper and not was_asked(helper["do"], talks):
            yield _find_helper(f"{helper['do']}{end}", memory.number, memories, people)
        for at, (name, number) in enumerate(people[:3]):
            what = f"bring {plain[at % len(plain)]}{end}" if plain else ""
            what = what or ("" if helper or not things else f"help with {need['things']}{end}")
            known = _about_it(name, end, memories) if end else number
            if what and known and not was_asked(what, talks):
                yield _insight(f"I could ask {name} to {what}.", (memory.number, known))


def _makes(me: PersonaInput, thing: str) -> bool:
    """Return whether the thinker makes a thing by trade: a painter makes paintings."""
    trade = [each for each in stems(f"{me.learned} {me.currently}") if len(each) >= _ROOT]
    return any(each.startswith(tuple(trade)) for each in stems(thing))


def _about_it(name: str, end: str, memories: Sequence[RecalledMemory]) -> int:
    """Return the number of a memory of a talk with a person about the purpose `end` of a need.

    Return 0 without such a talk: nobody is asked to bring something to a party unknown to them.
    """
    words = stems(end.removeprefix(" for "))
    talks = (each for each in memories if f" talked with {name}" in each.text)
    return next((each.number for each in talks if words & stems(each.text)), 0)


def _find_helper(
    what: str,
    number: int,
    memories: Sequence[RecalledMemory],
    people: Sequence[tuple[str, int]],
) -> PreparedInsight:
    """Return the insight that a remembered person could help, or that somebody must be found.

    `number` is the number of the memory that states the need.
    """
    words = stems(what.partition(" for ")[0]) - _PLAIN_VERBS
    for name, _ in people:
        for memory in memories:
            if name in memory.text and words & stems(memory.text) and memory.number != number:
                return _insight(f"I could ask {name} to {what}.", (number, memory.number))
    return _insight(f"I still have to find someone to {what}.", (number,))


def _news(
    me: PersonaInput,
    memories: Sequence[RecalledMemory],
    people: Sequence[tuple[str, int]],
    talks: Sequence[PastTalk],
) -> Iterator[PreparedInsight]:
    """Yield insights about which news to tell to whom."""
    for concern, numbers in _concerns(me, memories):
        for name, number in people[:3] if numbers else ():
            told = [
                told_in(each.text)
                for each in memories
                if name in each.text and each.number not in numbers
            ]
            if name in concern or is_told(concern, [*told, *told_to(name, talks)]):
                continue
            event = event_in(concern) if is_event(concern) else ""
            text = f"I should tell {name} that {lower_first(concern).rstrip('.')}."
            if event:
                text = f"I should invite {name} to the {event}."
            yield _insight(text, (*numbers, number))


def _about(
    me: PersonaInput, memories: Sequence[RecalledMemory], talks: Sequence[PastTalk]
) -> Iterator[PreparedInsight]:
    """Yield insights about news heard, people talked with, current work, and private worries."""
    is_unsure = any(f"{me.name} will try to come" in each.text for each in memories)
    for memory in memories:
        yield from _heard(memory, talks, is_unsure=is_unsure)
    yield from _talks(memories)
    for concern, numbers in _concerns(me, memories):
        if numbers and (text := get_on_with(concern)):
            yield _insight(text, numbers)
    for memory in memories:
        if text := private_thought(memory.text):
            yield _insight(text, [memory.number])


def _heard(
    memory: RecalledMemory, talks: Sequence[PastTalk], *, is_unsure: bool
) -> Iterator[PreparedInsight]:
    """Yield insights that follow from what another person said.

    With `is_unsure`, the thinker does not look forward to an event, since it may not attend. It
    asks nothing that it has already asked the person.
    """
    name, is_speech, _ = memory.text.partition(" said: ")
    was_asked_how = any(f"asked {name}, who is still" in told for told in told_to(name, talks))
    for told in find_told_events(memory.text) if is_speech else ():
        if is_event(told) and not is_unsure:
            yield _insight(f"I look forward to the {event_in(told)}.", (memory.number,))
        elif (
            not was_asked_how
            and occupies(told)
            and told.startswith(name)
            and (text := wonder_about(name, told))
        ):
            yield _insight(text, (memory.number,))


def _talks(memories: Sequence[RecalledMemory]) -> Iterator[PreparedInsight]:
    """Yield insights about the people with whom the thinker has talked."""
    talks: dict[str, list[int]] = {}
    for memory in memories:
        talk = None if memory.text.startswith("I ") else _TALK.match(memory.text)
        if talk is not None:
            talks.setdefault(talk["name"], []).append(memory.number)
    for name, numbers in talks.items():
        is_one = len(numbers) == 1
        text = (
            f"I am glad that I talked with {name}." if is_one else f"I enjoy my talks with {name}."
        )
        yield _insight(text, numbers)


def _insight(text: str, because: Sequence[int]) -> PreparedInsight:
    """Return an insight that is based on these memories."""
    return PreparedInsight(text=text, because=tuple(dict.fromkeys(because)))
