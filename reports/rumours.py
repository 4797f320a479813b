"""News passed on by word of mouth: memories of several people that tell the same."""

from collections.abc import Iterable

from agents.memory import Memory
from reports.keywords import content_words
from reports.news import TownKnowledge

ALIKE = 0.6
"""Share of common words from which on two memories tell the same."""


def alike(memories: Iterable[Memory]) -> list[list[Memory]]:
    """Return memories in groups that tell the same, those held by most people first."""
    groups: list[tuple[frozenset[str], list[Memory]]] = []
    for memory in memories:
        found = content_words(memory.text) - content_words(memory.agent)
        for held, group in groups:
            if found and len(found & held) >= ALIKE * len(found | held):
                group.append(memory)
                break
        else:
            groups.append((found, [memory]))
    told = [group for _, group in groups]
    return sorted(told, key=lambda group: (-len(owners(group)), group[0].created, group[0].id))


def rumours(memories: Iterable[Memory]) -> list[list[Memory]]:
    """Return the facts that two or more people remember from talks, most heard first."""
    facts = (each for each in memories if is_fact(each))
    return [group for group in alike(facts) if len(owners(group)) > 1]


def rumours_of(known: TownKnowledge) -> list[list[Memory]]:
    """Return the facts that went round among all known memories."""
    every = [each for mine in known.memories.values() for each in mine]
    return rumours(sorted(every, key=lambda each: (each.created, each.id)))


def owners(group: Iterable[Memory]) -> list[str]:
    """Return the names of those who hold the memories of a group, each once."""
    return list(dict.fromkeys(memory.agent for memory in group))


def is_fact(memory: Memory) -> bool:
    """Return True for a fact that somebody remembers from a talk, but not a plan."""
    drawn = "/conclude_talk/" in memory.id and memory.kind == "thought"
    return drawn and not is_plan(memory)


def is_plan(memory: Memory) -> bool:
    """Return True for a plan that somebody made in a talk."""
    return memory.text.startswith(f"For {memory.agent}'s plans: ")
