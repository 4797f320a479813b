"""Knowledge about people and things: a graph of facts derived from memories by rule.

Simulacra planned a knowledge graph per agent. Here no model is asked for one: memories name who did
what with whom and where, and a sentence that names two people or places says how they are related.
The graph is a pure function of the memories. So it does not depend on what runs at the same time,
and is not stored in checkpoints.
"""

import re
from calendar import day_name, month_name
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from smolville.agents.english import sentences
from smolville.agents.keywords import keywords_of
from smolville.agents.memory import Memory, read_quote
from smolville.agents.persona import Persona
from smolville.agents.stream import Recollection

MOST_WORDS = 10
"""Maximum number of words kept of a relation; a longer one is cut at its end."""
FACTS = 2
"""Minimum number of facts about the people asked for among the recalled memories, if there are
any."""
AMONG = 60
"""Number of best memories among which such facts are sought."""
CUT = "…"
_TALKED = re.compile(r"^(.+? talked with [^:]+): ")
_OF_MYSELF = {"I am": " is", "I'm": " is", "I have": " has", "I've": " has", "I": "", "My": "'s"}
"""Beginnings of what somebody says of themselves, and what follows their name instead."""
_MYSELF = re.compile(rf"^(?:{'|'.join(_OF_MYSELF)})\b")
_ARTICLES = frozenset(("the", "a", "an", "and", "or"))
_DATES = frozenset(
    (
        *(*day_name, *(f"{day}s" for day in day_name), *month_name),
        *("Today", "Tomorrow", "Yesterday", "Morning", "Afternoon", "Evening", "Night"),
    )
)
"""Names of days and hours, which do not count as things that somebody knows."""
Sentence = tuple[str, str, str]
"""Subject, relation and object. Without an object, the relation is the whole statement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One known fact, and its source."""

    subject: str
    relation: str
    object: str
    """The object of the relation; empty for a fact about the subject alone."""
    at: int
    """Town second from which it is known; -1 if it is from the persona file."""
    memory: str
    """Id of the memory that states it; empty if it is from the persona file."""

    def names(self, name: str) -> bool:
        """Return True when the fact mentions a name."""
        return name in (self.subject, self.object)


def facts_of(persona: Persona, memories: Iterable[Memory]) -> list[Fact]:
    """Return a person's facts, oldest first: from the persona file, then from memories."""
    told = [
        Fact(subject=persona.name, relation=told, object=name, at=-1, memory="")
        for name, told in persona.relationships.items()
    ]
    return [*told, *(fact for memory in memories for fact in facts_in(persona, memory))]


def facts_in(persona: Persona, memory: Memory) -> list[Fact]:
    """Return the facts stated in a memory; dreams and plans state none."""
    if memory.kind == "dream" or memory.predicate == "plan":
        return []
    known = tuple(sorted((persona.name, *persona.relationships)))
    return [
        Fact(subject=one, relation=how, object=other, at=memory.created, memory=memory.id)
        for one, how, other in _sentences_of(memory.text, memory.kind == "event", known)
    ]


@lru_cache(maxsize=16_384)
def _sentences_of(text: str, is_event: bool, known: tuple[str, ...]) -> tuple[Sentence, ...]:
    """Return the facts in a memory's text; quoted speech is read as its speaker's statement."""
    found: dict[Sentence, None] = {}
    said = read_quote(text)
    for sentence in sentences(said[1] if said else _TALKED.sub(r"\1. ", text)):
        if said and (own := _MYSELF.match(sentence)):
            sentence = f"{said[0]}{_OF_MYSELF[own[0]]}{sentence[own.end() :]}"
        for fact in _read(sentence, is_event, known):
            found.setdefault(fact)
    return tuple(found)


def _read(sentence: str, is_event: bool, known: tuple[str, ...]) -> Iterable[Sentence]:
    """Yield the facts of a sentence that begins with a name: (this name, a relation, another name).

    The relation is the words between both names. If there is no other name, it is the rest of the
    sentence; but the sentence is ignored if it `is_event`, a report of what somebody did.
    """
    names = [
        (sentence.find(name), name)
        for name in keywords_of(sentence, known)
        if name[0].isupper() and name in sentence and name.split()[0] not in _DATES
    ]
    if not names or names[0][0] != 0:
        return
    (_, first), *others = names
    subject = _whole(first, known)
    if not others:
        if not is_event:
            yield subject, _short(sentence[len(first) :]), ""
        return
    for at, name in others:
        how = _short(sentence[len(first) : at])
        if how and not how.endswith(CUT) and "," not in how and _whole(name, known) != subject:
            yield subject, how, _whole(name, known)


def _whole(name: str, known: Sequence[str]) -> str:
    full = [each for each in known if each.split()[0] == name]
    return full[0] if len(full) == 1 else name


def _short(text: str) -> str:
    """Return a relation without its connecting words, cut after `MOST_WORDS`."""
    words = text.strip(" .,:;!?'’\"“”").removeprefix("s ").split()
    while words and words[-1] in _ARTICLES:
        words.pop()
    return " ".join(words[:MOST_WORDS]) + (f" {CUT}" if len(words) > MOST_WORDS else "")


def names_asked(persona: Persona, text: str) -> tuple[str, ...]:
    """Return the names in a text; those of known people in full."""
    known = tuple(sorted((persona.name, *persona.relationships)))
    return tuple(_whole(name, known) for name in keywords_of(text, known) if name[0].isupper())


def with_facts(
    persona: Persona, ranked: Sequence[Recollection], about: Sequence[str], count: int
) -> list[Recollection]:
    """Return the best `count` memories, among them up to `FACTS` facts about people in `about`.

    If the best memories contain fewer such facts, facts from further down replace the last memories
    that are not such facts. `ranked` has the memories, best first.
    """
    best = list(ranked[:count])
    facts = [
        each
        for each in ranked[:AMONG]
        if any(fact.names(name) for fact in facts_in(persona, each.memory) for name in about)
    ]
    missing = FACTS - sum(each in facts for each in best)
    added = [each for each in facts if each not in best][: max(missing, 0)]
    others = [each for each in best if each not in facts]
    for _, last in zip(added, reversed(others), strict=False):
        best.remove(last)
    room = count - len(best)
    return [*best, *added[:room]]


def sizes(facts: Sequence[Fact]) -> Mapping[str, int]:
    """Return how many names a person knows, and how many relations between them."""
    related = {(fact.subject, fact.relation, fact.object) for fact in facts if fact.object}
    names = {fact.subject for fact in facts} | {thing for _, _, thing in related}
    return {"names": len(names), "relations": len(related)}
