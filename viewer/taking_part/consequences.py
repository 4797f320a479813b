"""The effects of an operator's request: the first moment at which a fork's deeds differ."""

from dataclasses import dataclass

from smolville.agents.errors import SmolvilleError
from smolville.reports.diff import describe_first_deed, find_first_deed
from smolville.reports.runs import OpenRun, opened_run
from smolville.viewer.taking_part.acts import RunActions


@dataclass(frozen=True, kw_only=True)
class Consequences:
    """Differences between a fork and its parent since a request took effect."""

    told: str
    """A sentence; empty if there is no parent to compare with."""
    is_final: bool
    """True if the sentence will not change any more."""
    at: int | None = None
    """Town second of the first difference; None if there is none."""
    who: str = ""
    """The person whose deeds differ then."""


def find_consequences(acts: RunActions, since: int) -> Consequences:
    """Return the first moment from tick `since` on at which deeds of a fork and its parent differ.

    The page that compares the two runs finds this moment in the same way.
    """
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
    seconds = run.folder.spec.tick_seconds
    if run.tick < since:
        return Consequences(told="", is_final=False)
    if until < since:
        told = f"The run {parent} ends there, so there is nothing to compare with."
        return Consequences(told=told, is_final=before.state() != "running")
    is_over = run.state() != "running" or before.tick <= run.tick
    first = find_first_deed(run, before, since * seconds)
    if first is None:
        end = run.format_time((until + 1) * seconds)
        told = f"Up to {end} everybody does the same as in the run {parent}."
        return Consequences(told=told, is_final=is_over)
    return Consequences(
        told=describe_first_deed(first, run, before),
        is_final=is_over or first.is_complete,
        at=first.at,
        who=first.name,
    )
