"""Ends of changes that an operator made to objects: the fire that was put out."""

from collections.abc import Iterable
from dataclasses import dataclass

from history.reader import RunReader
from history.records import Intervention, ObjectState
from reports.stretches import spoken_place


@dataclass(frozen=True, kw_only=True)
class EndedChange:
    """The end of an object's state that came from outside."""

    tick: int
    address: str
    was: str
    """The state from outside."""
    state: str
    """The state that came after it."""
    by: str
    """Who gave the object that state; empty if nobody used it any more."""

    @property
    def text(self) -> str:
        """The ended state in words, without the person who ended it."""
        return f"{spoken_place(self.address)} is no longer {self.was}; now: {self.state}"

    @property
    def sentence(self) -> str:
        """The ended state in words, and the person who ended it."""
        return f"{self.by} ends it: {self.text}." if self.by else f"{self.text}."


def find_ended_changes(
    acts: Iterable[Intervention], changes: Iterable[ObjectState]
) -> list[EndedChange]:
    """Return the ended changes from outside, in order; `changes` are in order too.

    A change replaced by another one from outside is left out, because that one is reported.
    """
    told = {(each.tick, each.target, each.text) for each in acts if each.kind == "object_state"}
    lasting: dict[str, str] = {}
    found = []
    for each in changes:
        was = lasting.get(each.address)
        if not each.by and (each.tick, each.address, each.state) in told:
            lasting[each.address] = each.state
        elif was is not None and was != each.state:
            del lasting[each.address]
            found.append(
                EndedChange(
                    tick=each.tick, address=each.address, was=was, state=each.state, by=each.by
                )
            )
    return found


def read_ended_changes(reader: RunReader, until: int) -> list[EndedChange]:
    """Return the ended changes from outside up to a tick."""
    acts = [each for each in reader.interventions() if each.kind == "object_state"]
    return find_ended_changes(acts, reader.object_changes(until=until)) if acts else []
