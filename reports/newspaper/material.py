"""The material of a newspaper: the recorded rows of one day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smolville.agents.action import Talk
from smolville.agents.entities import Happening
from smolville.agents.memory import Memory
from smolville.agents.times import DAY_SECONDS, at_of
from smolville.graphs.loop.ledger import StepRecord
from smolville.history.later_tables import happenings_between
from smolville.history.reader import RunReader
from smolville.history.records import Deed, Intervention, Move, ObjectState, ThoughtRow
from smolville.reports.from_outside import is_told
from smolville.reports.news import TownKnowledge, known_at
from smolville.reports.relations import Feeling, relations


@dataclass(frozen=True, kw_only=True)
class Material:
    """One day's rows, and what people know at its end."""

    seconds: int
    """Length of a tick in seconds."""
    start: int
    end: int
    """Town second at which the day ends, or which the run has reached on that day."""
    deeds: Sequence[Deed]
    talks: Sequence[Talk]
    memories: Sequence[Memory]
    """Memories made that day."""
    thoughts: Sequence[ThoughtRow]
    steps: Sequence[StepRecord]
    moves: Sequence[Move]
    objects: Sequence[ObjectState]
    earlier: Sequence[ObjectState]
    """Changes of objects before that day."""
    interventions: Sequence[Intervention]
    happenings: Sequence[Happening]
    """Happenings that the world and the plot caused."""
    feelings: Sequence[Feeling]
    known: TownKnowledge

    @property
    def accepted(self) -> list[Deed]:
        """Accepted actions without talks, which are reported separately."""
        return [
            deed for deed in self.deeds if deed.outcome == "accepted" and deed.action.kind != "talk"
        ]

    @property
    def people(self) -> tuple[str, ...]:
        """Names of all residents."""
        return self.known.people

    def talk_at(self, name: str, at: int) -> str:
        """Return the id of somebody's last talk that ended by a town second; empty if none."""
        ids = [talk.id for talk in self.talks if name in talk.participants and talk.end <= at]
        return ids[-1] if ids else ""


def material(reader: RunReader, day: int, tick: int) -> Material:
    """Return what was recorded on a day, up to a tick.

    The history is read in several short reads, one after another.
    """
    seconds = reader.spec.tick_seconds
    start = at_of(day, 0)
    end = min(start + DAY_SECONDS, (tick + 1) * seconds)
    since, until = -(-start // seconds), (end - 1) // seconds
    known = known_at(reader, until, end)
    feelings = relations(reader, until).feelings
    with reader.snapshot():
        changes = reader.object_changes(until=until)
        return Material(
            seconds=seconds,
            start=start,
            end=end,
            deeds=reader.deeds(since=since, until=until),
            talks=[talk for talk in known.talks if talk.start >= start],
            memories=_select_new_memories(known.memories, start),
            thoughts=reader.thoughts(since=since, until=until),
            steps=reader.steps(since=since, until=until),
            moves=reader.moves(since=since, until=until),
            objects=[each for each in changes if each.tick >= since],
            earlier=[each for each in changes if each.tick < since],
            interventions=[
                each
                for each in reader.interventions(since - 1)
                if each.tick <= until and is_told(each)
            ],
            happenings=happenings_between(reader.connection, since, until),
            feelings=[each for each in feelings if each.at >= start],
            known=known,
        )


def _select_new_memories(memories: Mapping[str, Sequence[Memory]], start: int) -> list[Memory]:
    """Return the memories made from town second `start` on, in order."""
    found = (each for mine in memories.values() for each in mine if each.created >= start)
    return sorted(found, key=lambda each: (each.created, each.id))
