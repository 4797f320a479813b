"""The first moment at which people do different things in two runs, and what they do then."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from smolville.agents.times import clock, day_of, minute_of
from smolville.reports.diff.people import deed_in_words
from smolville.reports.runs import OpenRun


@dataclass(frozen=True, kw_only=True)
class Doing:
    """What somebody does in one run at the moment of a difference."""

    words: str
    """The deed in words; empty before the first one."""
    since: int
    """Town second at which it began."""
    until: int | None
    """Town second at which the next deed in other words begins; None if there is none yet."""


@dataclass(frozen=True, kw_only=True)
class DeedDifference:
    """The first moment at which somebody does different things in two runs."""

    name: str
    at: int
    """Town second of the difference."""
    sides: tuple[Doing, Doing]
    """What the person does at that moment in each run."""

    @property
    def is_complete(self) -> bool:
        """True if it is known until when the deeds last that began before the difference."""
        return all(each.until is not None or each.since == self.at for each in self.sides)


def find_first_deed(one: OpenRun, other: OpenRun, since: int) -> DeedDifference | None:
    """Return the first moment, from town second `since` on, at which deeds of two runs differ.

    What is compared is what each person does at that moment, in words. So a deed that only began
    earlier or lasts longer makes a difference at the moment when it is done in one run only.
    Both runs are read up to the time that both have reached. If several people differ at the same
    moment, the first of the cast is named.
    """
    until = min(one.at, other.at)
    theirs = set(other.reader.agents())
    with one.reader.snapshot(), other.reader.snapshot():
        found = [
            difference
            for name in one.reader.agents()
            if name in theirs
            and (difference := _compare(name, (one, other), since, until)) is not None
        ]
    return min(found, key=attrgetter("at"), default=None)


def _compare(
    name: str, runs: tuple[OpenRun, OpenRun], since: int, until: int
) -> DeedDifference | None:
    """Return the first moment at which one person does different things."""
    mine, theirs = (list(_doings(run, name, since)) for run in runs)
    moments = sorted({max(each.since, since) for each in (*mine, *theirs)})
    for at in moments:
        if at >= until:
            return None
        sides = _at(mine, at), _at(theirs, at)
        if sides[0].words != sides[1].words:
            return DeedDifference(name=name, at=at, sides=sides)
    return None


def _doings(run: OpenRun, name: str, since: int) -> Iterator[Doing]:
    """Yield what somebody does from a town second on; equal deeds in a row are one."""
    seconds = run.folder.spec.tick_seconds
    first = since // seconds
    before = run.reader.doing(name, first - 1)
    deeds = [
        *([before] if before else []),
        *(each for each in run.reader.deeds(name, first, run.tick) if each.outcome == "accepted"),
    ]
    # Of several deeds in one tick the last one counts.
    begun = {deed.tick * seconds: deed_in_words(deed) for deed in deeds}
    changes = [(-1, "")]
    for at, words in begun.items():
        if words != changes[-1][1]:
            changes.append((at, words))
    ends = [at for at, _ in changes[1:]]
    for (at, words), end in zip(changes, [*ends, None], strict=True):
        yield Doing(words=words, since=at, until=end)


def _at(doings: list[Doing], at: int) -> Doing:
    """Return what somebody does at a town second."""
    return doings[bisect_right(doings, at, key=attrgetter("since")) - 1]


def describe_first_deed(found: DeedDifference, one: OpenRun, other: OpenRun) -> str:
    """Return the sentences on the first moment at which deeds differ.

    `The first difference in deeds: Nadia Farouk, Monday 6 May, 08:55. In what-if: still making
    coffee (cafe), until 09:05. In first: taking orders (cafe).`
    """
    sides = (
        f"In {run.folder.name}: {_tell(doing, found.at, run)}."
        for run, doing in zip((one, other), found.sides, strict=True)
    )
    return " ".join(
        [f"The first difference in deeds: {found.name}, {one.format_time(found.at)}.", *sides]
    )


def _tell(doing: Doing, at: int, run: OpenRun) -> str:
    """Return what somebody does at a moment; if it began before, also until when."""
    if not doing.words:
        return "nothing yet"
    if doing.since == at:
        return doing.words
    still = f"still {doing.words}"
    if doing.until is None or doing.until // 60 == at // 60:
        return still
    is_same_day = day_of(doing.until) == day_of(at)
    end = clock(minute_of(doing.until)) if is_same_day else run.format_time(doing.until)
    return f"{still}, until {end}"
