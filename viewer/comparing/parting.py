"""Finds where two runs diverge: the first tick at which somebody acts differently, and who."""

from collections import defaultdict
from dataclasses import dataclass, replace

from agents.action import Talk
from history.reader import RunReader
from history.records import Deed


@dataclass(frozen=True, kw_only=True)
class SharedPast:
    """How far two runs have the same past."""

    at: int | None
    """Town second at which somebody first acts differently; None where nobody does."""
    until: int
    """Town second up to which both runs are complete; nothing is compared after it."""
    who: tuple[str, ...] = ()
    """The people who act differently at that time."""
    otherwise: int = 0
    """Number of actions that are in only one of the runs."""
    shared: int = 0
    """Number of actions that are in both."""
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """People who are in only one of the runs, for each run."""


def part(one: RunReader, other: RunReader) -> SharedPast:
    """Return where two runs diverge in what people did and said, as far as both are complete.

    Runs with different tick lengths are compared by town seconds.
    """
    until = min(_until(one), _until(other))
    theirs = [_doings(reader, until) for reader in (one, other)]
    both = theirs[0].keys() & theirs[1].keys()
    alone = theirs[0].keys() ^ theirs[1].keys()
    first = min((at for at, _, _ in alone), default=None)
    casts = [set(reader.agents()) for reader in (one, other)]
    return SharedPast(
        at=first,
        until=until,
        who=tuple(sorted({name for at, name, _ in alone if at == first})),
        otherwise=len(alone),
        shared=len(both),
        only=(tuple(sorted(casts[0] - casts[1])), tuple(sorted(casts[1] - casts[0]))),
    )


def _until(reader: RunReader) -> int:
    """Return the town second up to which a run is complete."""
    done = reader.watermark()
    return 0 if done is None else (done + 1) * reader.spec.tick_seconds


def _doings(reader: RunReader, until: int) -> dict[tuple[int, str, object], int]:
    """Return the actions and talks before `until` with their counts, keyed by time and person."""
    seconds = reader.spec.tick_seconds
    found: defaultdict[tuple[int, str, object], int] = defaultdict(int)
    for deed in reader.deeds():
        if deed.tick * seconds < until:
            found[deed.tick * seconds, deed.agent, _plain(deed)] += 1
    for talk in reader.talks():
        if talk.start < until:
            found[talk.start, talk.participants[0], _said(talk)] += 1
    return found


def _plain(deed: Deed) -> object:
    """Return a deed without its tick, which depends on the tick length."""
    return replace(deed, tick=0)


def _said(talk: Talk) -> object:
    """Return the speakers and lines of a talk."""
    return tuple((line.speaker, line.text) for line in talk.lines)
