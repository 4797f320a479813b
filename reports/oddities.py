"""Accepted answers that make no sense, with sentences on why: by deed and by line of a talk."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from smolville.agents.action import Talk
from smolville.history.reader import RunReader

DECIDING = ("plan_hours", "react", "replan", "decompose", "ground_block")
"""Steps of a thought that decide what somebody does, and where."""
Sentences = tuple[str, ...]


@dataclass(frozen=True)
class Oddities:
    """What is odd about a run's deeds and lines, in sentences."""

    deeds: Mapping[tuple[str, int], Sentences]
    """Sentences by the agent and tick of the thought that decided the deed."""
    said: Mapping[tuple[str, str], tuple[Sentences, ...]]
    """Sentences by talk and speaker, for each line that a model wrote, in order."""

    def of_lines(self, talk: Talk) -> list[Sentences]:
        """Return the sentences about each line of a talk."""
        left = {name: iter(self.said.get((talk.id, name), ())) for name in talk.participants}
        return [next(left.get(line.speaker, iter(())), ()) for line in talk.lines]

    def numbers(self, talk: Talk) -> set[int]:
        """Return the numbers of a talk's odd lines, counted from 0."""
        return {number for number, odd in enumerate(self.of_lines(talk)) if odd}


def read_oddities(reader: RunReader, tick: int) -> Oddities:
    """Return the oddities of a run up to a tick."""
    deeds: defaultdict[tuple[str, int], Sentences] = defaultdict(tuple)
    said: defaultdict[tuple[str, str], list[tuple[int, Sentences]]] = defaultdict(list)
    for step in reader.steps(until=tick):
        if step.step == "say":
            said[step.owner, step.agent].append((step.ordinal, step.odd))
        elif step.odd and step.step in DECIDING:
            deeds[step.agent, step.tick] += step.odd
    ordered = {key: sorted(lines, key=lambda line: line[0]) for key, lines in said.items()}
    return Oddities(deeds, {key: tuple(odd for _, odd in lines) for key, lines in ordered.items()})
