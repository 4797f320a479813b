"""Where two runs part: the first tick at which somebody does otherwise, and who."""

from collections import defaultdict
from dataclasses import dataclass, replace

from agents.action import Talk
from world.records import Deed
from world.runs.reader import RunReader


@dataclass(frozen=True, kw_only=True)
class Parting:
    """How far two runs share their past."""

    at: int | None
    """Town second at which somebody first does otherwise; None where nobody does."""
    until: int
    """Town second up to which both have lived; nothing is compared beyond it."""
    who: tuple[str, ...] = ()
    """Who does otherwise then."""
    otherwise: int = 0
    """Of all doings, how many only one of the runs has."""
    shared: int = 0
    """And how many both have."""
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """People who live in one of them only."""


def part(one: RunReader, other: RunReader) -> Parting:
    """Return where two runs part, by what people did and said, as far as both have lived.

    Two runs with different ticks are compared by town seconds.
    """
    until = min(_until(one), _until(other))
    theirs = [_doings(reader, until) for reader in (one, other)]
    both = theirs[0].keys() & theirs[1].keys()
    alone = theirs[0].keys() ^ theirs[1].keys()
    first = min((at for at, _, _ in alone), default=None)
    casts = [set(reader.agents()) for reader in (one, other)]
    return Parting(
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
    """Return when who did or said what, before `until`."""
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
    """Return a deed without its tick, which another length of ticks would change."""
    return replace(deed, tick=0)


def _said(talk: Talk) -> object:
    """Return who said what in a talk."""
    return tuple((line.speaker, line.text) for line in talk.lines)
