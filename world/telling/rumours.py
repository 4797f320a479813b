"""What went from mouth to mouth: memories of several people that tell the same."""

from collections.abc import Iterable

from agents.memory import Memory
from world.telling.keywords import content_words
from world.telling.news import Known

ALIKE = 0.6
"""Memories that share so much of their words tell the same."""


def alike(memories: Iterable[Memory]) -> list[list[Memory]]:
    """Return memories in groups that tell the same, by how many people hold them."""
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
    """Return the facts that two people or more took home from talks, most heard first."""
    facts = (each for each in memories if is_fact(each))
    return [group for group in alike(facts) if len(owners(group)) > 1]


def rumours_of(known: Known) -> list[list[Memory]]:
    """Return the facts that went round in all that is known."""
    every = [each for mine in known.memories.values() for each in mine]
    return rumours(sorted(every, key=lambda each: (each.created, each.id)))


def owners(group: Iterable[Memory]) -> list[str]:
    """Return who holds the memories of a group, each once."""
    return list(dict.fromkeys(memory.agent for memory in group))


def is_fact(memory: Memory) -> bool:
    """True for what somebody kept of a talk, plans left out."""
    drawn = "/conclude_talk/" in memory.id and memory.kind == "thought"
    return drawn and not is_plan(memory)


def is_plan(memory: Memory) -> bool:
    """True for what a talk meant for somebody's plans."""
    return memory.text.startswith(f"For {memory.agent}'s plans: ")
