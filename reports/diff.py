"""Two runs compared: whether they are equal, where and why they part, and where each person does.

Runs are compared up to the time that both have reached. Schedules make no difference.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten

from smolville.agents.errors import RunError
from smolville.agents.wording import join_words, visible_line
from smolville.history.digest import CALLS, TABLES, digest, rows_by_tick
from smolville.history.reader import RunReader
from smolville.history.records import Deed, StepView, UseKey
from smolville.history.spec import RunSpec
from smolville.models.keys import MaySend, forbid_all
from smolville.reports.from_outside import outside_words
from smolville.reports.runs import OpenRun
from smolville.reports.stretches import spoken_place
from smolville.world.replay import UnrecordedQuestion, replay_run
from smolville.world.run_request import versions_now

FUNDAMENTAL = ("town", "cast", "seed", "tick length")
"""Names of the differences after which two runs have nothing in common from the first moment on."""
VERSIONS = "version of "
LONGEST_REPLY = 160


@dataclass(frozen=True, kw_only=True)
class Doing:
    """What somebody does in one run from a town second on."""

    words: str
    """The deed in words; empty before the first one."""
    since: int


@dataclass(frozen=True, kw_only=True)
class DeedDifference:
    """The first moment at which somebody does different things in two runs."""

    name: str
    at: int
    sides: tuple[Doing, Doing]
    """What the person does at that moment in each run."""


@dataclass(frozen=True, kw_only=True)
class FirstDifference:
    """The first difference of two histories: its moment, the people concerned, and the cause."""

    at: int
    agent: str
    """The first person of the casts who differs. If none does, a thing or visitor; may be empty."""
    also: tuple[str, ...]
    """The other people of the casts who differ at that moment."""
    tables: tuple[str, ...]
    """Tables of the history with different rows; empty if the ticks have different lengths."""
    cause: str
    """Why they differ, as a sentence that begins with a small letter."""


@dataclass(frozen=True, kw_only=True)
class RunDifference:
    """The differences of two runs, up to the time that both have reached."""

    names: tuple[str, str]
    lived: tuple[int, int]
    """Town second up to which each run is complete; later rows are not compared."""
    digest: str
    """Digest of both histories, up to the time that both have reached; empty if they differ."""
    spec: Mapping[str, tuple[str, str]]
    """Differences between what was asked for, by name: `seed`, `setting examples`, `template say`.
    """
    only: tuple[tuple[str, ...], tuple[str, ...]]
    """For each run, the people who live only there."""
    first: FirstDifference | None
    people: Mapping[str, DeedDifference | None]
    """For everybody who lives in both towns, the first moment at which they do different things;
    None if there is none."""

    @property
    def until(self) -> int:
        """Town second up to which the runs are compared."""
        return min(self.lived)

    @property
    def is_equal(self) -> bool:
        """True if both histories are equal and equally long."""
        return self.first is None and self.lived[0] == self.lived[1]

    @property
    def fundamental(self) -> Mapping[str, tuple[str, str]]:
        """The differences that make two runs share nothing from the first moment on."""
        return {name: self.spec[name] for name in FUNDAMENTAL if name in self.spec}

    @property
    def shared(self) -> int:
        """Town second up to which the histories are equal; 0 if they have nothing in common."""
        if self.first is None:
            return self.until
        return 0 if self.fundamental else self.first.at


def describe_difference(found: RunDifference, format_time: Callable[[int], str]) -> str:
    """Return a sentence on whether two runs are equal, or else up to when they are equal."""
    one, other = found.names
    until = format_time(found.until)
    if found.is_equal:
        return f"{one} and {other} are equal up to {until}: {found.digest}."
    if found.first is None:
        shorter, longer = sorted(zip(found.lived, found.names, strict=True))
        if not found.until:
            return f"{shorter[1]} has not started yet, so there is nothing to compare."
        rest = f"{shorter[1]} ends; {longer[1]} goes on to {format_time(longer[0])}"
        return f"{one} and {other} are equal up to {until}, where {rest}."
    if found.fundamental:
        why = "; ".join(format_spec(found.fundamental))
        return f"{one} and {other} have no history in common: they differ in {why}."
    if not found.shared:
        return f"{one} and {other} differ from the first moment on."
    return f"{one} and {other} share their history up to {format_time(found.shared)}."


def format_spec(spec: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return differences between specs in words: `seed: 1 and 2`."""
    return [f"{name}: {mine} and {theirs}" for name, (mine, theirs) in spec.items()]


def compare_runs(one: OpenRun, other: OpenRun) -> RunDifference:
    """Return how two runs differ, each up to its last tick."""
    mine, theirs = one.reader, other.reader
    casts = [set(reader.agents()) for reader in (mine, theirs)]
    until = min(one.at, other.at)
    with mine.snapshot(), theirs.snapshot():
        first = find_parting(one, other)
        same = "" if first else digest(mine, until // mine.spec.tick_seconds - 1)
        return RunDifference(
            names=(one.folder.name, other.folder.name),
            lived=(one.at, other.at),
            digest=same,
            spec=compare_specs(mine.spec, theirs.spec),
            only=(tuple(sorted(casts[0] - casts[1])), tuple(sorted(casts[1] - casts[0]))),
            first=first,
            people={
                name: None if first is None else _parting(name, one, other, first.at)
                for name in mine.agents()
                if name in casts[1]
            },
        )


def find_parting(one: OpenRun, other: OpenRun) -> FirstDifference | None:
    """Return where the histories of two runs first differ; None if they do not.

    Rows of runs whose ticks have different lengths are not compared: these differ at once.
    """
    mine, theirs = one.reader, other.reader
    tick, tables, concerned = 0, tuple[str, ...](), frozenset[str]()
    if mine.spec.tick_seconds == theirs.spec.tick_seconds:
        found = _first_rows(mine, theirs, min(one.tick, other.tick))
        if found is None:
            return None
        tick, tables, concerned = found
    cause, asked = _find_cause(mine, theirs, tick)
    who = [name for name in dict.fromkeys((*mine.agents(), *theirs.agents())) if name in concerned]
    who = sorted(who, key=lambda name: name != asked) or sorted(concerned)[:1]
    return FirstDifference(
        at=tick * mine.spec.tick_seconds,
        agent=next(iter(who), ""),
        also=tuple(who[1:]),
        tables=tables,
        cause=cause,
    )


def _first_rows(
    one: RunReader, other: RunReader, until: int
) -> tuple[int, tuple[str, ...], frozenset[str]] | None:
    """Return the first tick with a difference in rows that enter a digest, their tables and people.

    If there is none, return None; then the digests up to that tick are equal.
    """
    limit = until
    found: dict[str, tuple[int, frozenset[str]]] = {}
    with one.snapshot(), other.snapshot():
        # Calls come last: to read them takes longest, and most often they need not be read far.
        for table in sorted(TABLES, key=lambda name: name == CALLS):
            difference = _first_in(table, one, other, limit)
            if difference is not None:
                found[table] = difference
                limit = difference[0]
    first = {table: found[table][1] for table in TABLES if table in found}
    first = {table: who for table, who in first.items() if found[table][0] == limit}
    return (limit, tuple(first), frozenset().union(*first.values())) if first else None


def _first_in(
    table: str, one: RunReader, other: RunReader, until: int
) -> tuple[int, frozenset[str]] | None:
    left, right = (
        (
            (tick, list(rows))
            for tick, rows in groupby(rows_by_tick(each, table, until), itemgetter(0))
        )
        for each in (one, other)
    )
    while True:
        mine, theirs = next(left, None), next(right, None)
        if mine == theirs:
            if mine is None:
                return None
            continue
        tick = min(each[0] for each in (mine, theirs) if each is not None)
        rows = [Counter(each[1] if each and each[0] == tick else ()) for each in (mine, theirs)]
        differing = (rows[0] - rows[1]) + (rows[1] - rows[0])
        # Rows that are the same in another order differ too, and concern all of them.
        return tick, frozenset(who for _, who, _ in differing or rows[0])


def compare_specs(one: RunSpec, other: RunSpec) -> dict[str, tuple[str, str]]:
    """Return the differences between the specs of two runs that have an influence on a history."""
    mine, theirs = _spec_values(one), _spec_values(other)
    return {
        name: (mine.get(name, "none"), theirs.get(name, "none"))
        for name in mine | theirs
        if mine.get(name) != theirs.get(name)
    }


def _spec_values(spec: RunSpec) -> dict[str, str]:
    groups: tuple[tuple[str, Mapping[str, object]], ...] = (
        ("setting ", spec.settings),
        ("template ", spec.prompts),
        (VERSIONS, spec.versions),
    )
    return {
        "town": f"{spec.town_name} ({spec.town_hash})",
        "cast": ", ".join(spec.cast),
        "seed": str(spec.seed),
        "tick length": f"{spec.tick_seconds} s",
        "fast model": spec.models.fast,
        "strong model": spec.models.strong,
        "embedder": spec.models.embedder,
        "routines": spec.routines or "none",
        **{f"{kind}{name}": str(some[name]) for kind, some in groups for name in sorted(some)},
    }


def _find_cause(one: RunReader, other: RunReader, tick: int) -> tuple[str, str]:
    """Return why two histories differ at a tick, and whose step differs; empty if no step does."""
    spec = compare_specs(one.spec, other.spec)
    if fundamental := {name: spec[name] for name in FUNDAMENTAL if name in spec}:
        return f"{join_words(format_spec(fundamental))}.", ""
    for run, rest in ((one, other), (other, one)):
        mine, theirs = (
            [outside_words(each) for each in side.interventions(tick - 1) if each.tick == tick]
            for side in (run, rest)
        )
        for text, quote in mine:
            if (text, quote) not in theirs:
                said = f"{text} “{quote}”" if quote else text
                return f"only {run.spec.name} has an intervention then. {said}", ""
    told, agent = _first_step(one, other, tick)
    # Versions are named only where nothing else was asked for differently.
    spec = {name: spec[name] for name in spec if not name.startswith(VERSIONS)} or spec
    if spec:
        told = told or "what happens then is not the same."
        told += f" They were asked for with {join_words(format_spec(spec))}."
    unexplained = (
        "nothing that is recorded explains it: both were asked and answered the same. One of the "
        "histories was changed, or was written by a program that did other things."
    )
    return told or unexplained, agent


def _first_step(one: RunReader, other: RunReader, tick: int) -> tuple[str, str]:
    """Return the first difference in the questions and answers of a tick, and whose it is.

    Questions depend on the answers before them, and talks follow thoughts. So steps that both runs
    have come before steps that only one run has.
    """
    records = [*one.steps(since=tick, until=tick), *other.steps(since=tick, until=tick)]
    records.sort(key=lambda each: each.owner != each.agent)
    only = "", ""
    for key in dict.fromkeys(UseKey(r.owner, r.tick, r.step, r.ordinal) for r in records):
        mine, theirs = one.step(key), other.step(key)
        agent = next(each.record.agent for each in (mine, theirs) if each)
        where = f"`{key.step}` of {agent}"
        if mine and theirs:
            if told := _compare_step(where, mine, theirs):
                return told, agent
        elif not only[0]:
            only = f"only {(one if mine else other).spec.name} asks {where} then.", agent
    return only


def _compare_step(where: str, mine: StepView, theirs: StepView) -> str:
    for left, right in zip(mine.attempts, theirs.attempts, strict=False):
        one, other = left.call, right.call
        if one.template != other.template:
            return f"{where} is asked with the templates {one.template} and {other.template}."
        if one.model != other.model:
            return f"{where} is asked of different models, {one.model} and {other.model}."
        if one.messages != other.messages:
            return f"{where} is asked in other words."
        if (one.reply, one.finish) != (other.reply, other.finish):
            said = " and ".join(
                f"“{shorten(visible_line(call.reply), LONGEST_REPLY, placeholder=' …')}”"
                for call in (one, other)
            )
            return f"the model answers the same question of {where} differently: {said}."
    ends = [
        (len(view.attempts), view.record.outcome, view.record.answer, view.record.odd)
        for view in (mine, theirs)
    ]
    return "" if ends[0] == ends[1] else f"the same replies to {where} are read differently."


def _parting(name: str, one: OpenRun, other: OpenRun, since: int) -> DeedDifference | None:
    """Return the first moment at which one person does different things."""
    mine, theirs = _doings(one, name, since), _doings(other, name, since)
    for at in sorted({max(each.since, since) for each in (*mine, *theirs)}):
        if at >= min(one.at, other.at):
            break
        sides = _at(mine, at), _at(theirs, at)
        if sides[0].words != sides[1].words:
            return DeedDifference(name=name, at=at, sides=sides)
    return None


def _doings(run: OpenRun, name: str, since: int) -> list[Doing]:
    """Return what somebody does from a town second on; equal deeds in a row are one."""
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
    return [Doing(words=words, since=at) for at, words in changes]


def _at(doings: Sequence[Doing], at: int) -> Doing:
    return doings[bisect_right(doings, at, key=attrgetter("since")) - 1]


def deed_in_words(deed: Deed) -> str:
    """Return what somebody does and where."""
    action = deed.action
    verb = {"talk": "talks with", "wait": "waits for"}.get(action.kind)
    partners = join_words(action.partners)
    words = f"{verb} {partners}" if verb and partners else action.activity
    where = f" ({spoken_place(action.place)})" if action.place else ""
    return f"{words}{where}"


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The result of rebuilding a run from its record."""

    name: str
    at: int
    """Town second up to which the run is complete."""
    rebuilt: int
    """Town second up to which the run could be rebuilt."""
    digest: str
    """Digest of the run up to `at`."""
    difference: FirstDifference | None
    """Where the rebuilt run first differs; None if it does not. The rebuilt run is the second one.
    """
    deeds: DeedDifference | None
    """What that person does differently from then on, recorded and rebuilt; None if nothing."""
    unrecorded: UnrecordedQuestion | None
    """The question without an answer in the record; None if there was none."""
    versions: tuple[str, ...]
    """Versions used by the run that are not installed here, such as `smolville 0.1.0 (here 0.2.0)`.
    """

    @property
    def is_same(self) -> bool:
        """True if the rebuilt run is equal, row for row."""
        return self.difference is None and self.unrecorded is None


def verify_run(run: OpenRun, may_send: MaySend = forbid_all) -> Verification:
    """Rebuild a run in a temporary folder up to its last tick, and compare it with the run.

    Raises RunError or TownError if that is impossible.
    """
    spec = run.folder.spec
    if run.done is None:
        raise RunError(f"run {spec.name!r} has not started yet; there is nothing to replay")
    with TemporaryDirectory(prefix="smolville-replay-") as folder:
        replayed, unrecorded = replay_run(run.reader, Path(folder), run.done, may_send)
        with RunReader(replayed) as reader:
            rebuilt = OpenRun(replayed, reader, reader.watermark())
            difference = find_parting(run, rebuilt)
            who = difference and (difference.agent, run, rebuilt, difference.at)
            deeds = _parting(*who) if who and who[0] in run.reader.agents() else None
    now = versions_now()
    return Verification(
        name=spec.name,
        at=run.at,
        rebuilt=rebuilt.at,
        digest=digest(run.reader, run.done),
        difference=difference,
        deeds=deeds,
        unrecorded=unrecorded,
        versions=tuple(
            f"{package} {was} (here {now.get(package, 'none')})"
            for package, was in spec.versions.items()
            if now.get(package) != was
        ),
    )
