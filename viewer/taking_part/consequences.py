"""The effects of an operator's request: deeds of a fork that differ from its parent's."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agents.errors import SmolvilleError
from history.records import Deed
from reports.diff.people import deed_in_words
from reports.runs import OpenRun, opened_run
from viewer.taking_part.acts import RunActions


@dataclass(frozen=True, kw_only=True)
class Consequences:
    """Differences between a fork and its parent since a request took effect."""

    told: str
    """A sentence; empty if there is no parent to compare with."""
    is_final: bool
    """True if the sentence will not change any more."""


def find_consequences(acts: RunActions, since: int) -> Consequences:
    """Return the first deed, from tick `since` on, in which a fork differs from its parent run."""
    with acts.open_run() as run:
        parent = run.folder.spec.forked_from
        if not parent:
            return Consequences(told="", is_final=True)
        try:
            with opened_run(acts.config.runs, parent) as before:
                return _compare(run, before, since)
        except SmolvilleError:
            # The parent is gone, or was never here.
            return Consequences(told="", is_final=True)


def _compare(run: OpenRun, before: OpenRun, since: int) -> Consequences:
    until = min(run.tick, before.tick)
    parent = before.folder.name
    end = run.format_time((until + 1) * run.folder.spec.tick_seconds)
    if run.tick < since:
        return Consequences(told="", is_final=False)
    if until < since:
        told = f"The run {parent} ends there, so there is nothing to compare with."
        return Consequences(told=told, is_final=before.state() != "running")
    changes = [
        change
        for name in run.reader.agents()
        for change in _changes(name, run, before, since, until)
    ]
    # Another deed says more than the same one at another time.
    found = [change for change in changes if change.is_worded] or changes
    if not found:
        told = f"Up to {end} everybody does the same as in the run {parent}."
        is_final = run.state() != "running" or before.tick <= run.tick
        return Consequences(told=told, is_final=is_final)
    first = min(found, key=lambda change: change.tick)
    seconds = run.folder.spec.tick_seconds
    mine, theirs = first.sides(lambda tick: run.format_time(tick * seconds))
    when = run.format_time(first.tick * seconds)
    told = (
        f"The first change in deeds: {first.name}, {when}: {mine}; in the run {parent}: {theirs}."
    )
    return Consequences(told=told, is_final=True)


@dataclass(frozen=True)
class DeedChange:
    """One person's deeds in a fork and in its parent run, if they differ; None for no deed."""

    name: str
    own: Deed | None
    other: Deed | None

    @property
    def tick(self) -> int:
        """The tick of the earlier deed."""
        return min(each.tick for each in (self.own, self.other) if each)

    @property
    def is_worded(self) -> bool:
        """True if the two deeds differ in words, and not only in when they begin."""
        return _words(self.own) != _words(self.other)

    def sides(self, format_tick: Callable[[int], str]) -> tuple[str, str]:
        """Return both deeds in words; a deed that begins later than the other has its time."""

        def told(deed: Deed | None) -> str:
            if deed is None or deed.tick == self.tick:
                return _words(deed)
            return f"{_words(deed)}, from {format_tick(deed.tick)}"

        return told(self.own), told(self.other)


def _changes(
    name: str, run: OpenRun, before: OpenRun, since: int, until: int
) -> Iterator[DeedChange]:
    """Yield the differences between one person's deeds in two runs.

    Deeds that differ only in their time come first. The first deed that differs in words is the
    last.
    """
    mine, theirs = (
        [each for each in side.reader.deeds(name, since, until) if each.outcome == "accepted"]
        for side in (run, before)
    )
    for at in range(max(len(mine), len(theirs))):
        own = mine[at] if at < len(mine) else None
        other = theirs[at] if at < len(theirs) else None
        change = DeedChange(name, own, other)
        if change.is_worded:
            yield change
            return
        if own is not None and other is not None and own.tick != other.tick:
            yield change


def _words(deed: Deed | None) -> str:
    return "nothing new" if deed is None else deed_in_words(deed)
