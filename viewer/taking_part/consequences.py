"""The effects of an operator's request: deeds of a fork that differ from its parent's."""

from dataclasses import dataclass

from agents.errors import SmolvilleError
from history.records import Deed
from reports.runs import OpenRun, opened_run
from viewer.taking_part.acts import RunActions


@dataclass(frozen=True, kw_only=True)
class Consequences:
    """Differences between a fork and its parent since a request took effect."""

    told: str
    """A sentence; empty where there is no parent to compare with."""
    is_final: bool
    """Whether the sentence will not change any more."""


def find_consequences(acts: RunActions, since: int) -> Consequences:
    """Return the first deed since a tick that a fork does not share with the run it came from."""
    with acts.open_run() as run:
        parent = run.folder.spec.forked_from
        if not parent:
            return Consequences(told="", is_final=True)
        try:
            with opened_run(acts.house.runs, parent) as before:
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
        told = f"{parent} ends there, so there is nothing to compare with."
        return Consequences(told=told, is_final=before.state() != "running")
    found = [
        pair
        for name in run.reader.agents()
        if (pair := _first_change(name, run, before, since, until)) is not None
    ]
    if not found:
        told = f"Up to {end} everybody does the same as in {parent}."
        is_final = run.state() != "running" or before.tick <= run.tick
        return Consequences(told=told, is_final=is_final)
    own, other = min(found, key=lambda pair: min(each.tick for each in pair if each))
    first = own or other
    assert first is not None
    when = run.format_time(first.tick * run.folder.spec.tick_seconds)
    mine, theirs = (each.action.activity if each else "nothing new" for each in (own, other))
    told = f"The first change in deeds: {first.agent}, {when}: {mine}; in {parent}: {theirs}."
    return Consequences(told=told, is_final=True)


def _first_change(
    name: str, run: OpenRun, before: OpenRun, since: int, until: int
) -> tuple[Deed | None, Deed | None] | None:
    """Return the first deeds of somebody that are not the same in both runs; None if all are."""
    mine, theirs = (
        [each for each in side.reader.deeds(name, since, until) if each.outcome == "accepted"]
        for side in (run, before)
    )
    for at in range(max(len(mine), len(theirs))):
        own = mine[at] if at < len(mine) else None
        other = theirs[at] if at < len(theirs) else None
        if own is None or other is None or _told(own) != _told(other):
            return own, other
    return None


def _told(deed: Deed) -> tuple[int, str, str]:
    return deed.tick, deed.action.activity, deed.action.place
