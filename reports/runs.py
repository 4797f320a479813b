"""The runs of a folder: listed in rows, opened for reading, and described in a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from smolville.agents.errors import RunError, SmolvilleError
from smolville.agents.persona import Persona
from smolville.agents.times import DAY_SECONDS, date_text, day_of, long_text, moment
from smolville.agents.wording import format_count
from smolville.history.counts import Counts
from smolville.history.folder import RunFolder, list_runs, owner_of
from smolville.history.inbox import OperatorRequest, read_waiting
from smolville.history.reader import RunReader
from smolville.history.spec import RunSpec
from smolville.models.errors import SpecError
from smolville.models.spec import parse_spec
from smolville.world.meaning import find_person
from smolville.world.town.town import Town, town_of


@dataclass
class OpenRun:
    """A run opened for reading, up to the last tick that was complete at that time."""

    folder: RunFolder
    reader: RunReader
    done: int | None
    """The last complete tick; None before the first commit."""

    @property
    def tick(self) -> int:
        """The last tick that is complete for everybody; -1 before the first commit."""
        return -1 if self.done is None else self.done

    @property
    def at(self) -> int:
        """The town second up to which the history is complete."""
        return (self.tick + 1) * self.folder.spec.tick_seconds

    @cached_property
    def town(self) -> Town:
        """The run's town; raises TownError or RunError if the town is missing or was changed."""
        return town_of(self.folder)

    @cached_property
    def start_date(self) -> date | None:
        """The date of day 1; None if the town can no longer be read."""
        try:
            return self.town.start_date
        except SmolvilleError:
            return None

    def format_time(self, at: int) -> str:
        """Return a town time with its date, `Monday 6 May, 07:40`."""
        if self.start_date is None:
            return f"day {moment(at)}"
        return long_text(self.start_date, at)

    def day(self, at: int) -> str:
        """Return the day of a town time, `Monday 6 May`."""
        if self.start_date is None:
            return f"day {day_of(at)}"
        return date_text(self.start_date, day_of(at))

    def person(self, name: str) -> str:
        """Return the full name of a person in the run; raises RunError with the nearest names."""
        return find_person(name, self.reader.agents(), f"the run {self.folder.name!r}")

    def persona(self, name: str) -> Persona:
        """Return the persona of a person in the run."""
        return self.town.in_company(self.town.personas[name], self.folder.spec.cast)

    def from_when(self) -> str:
        """Return in words when a request that an operator makes now would take effect."""
        if self.state() == "running":
            return "from the next tick on (the run is going on)"
        return f"from {self.format_time(self.at)} on, when the run goes on"

    def state(self) -> str:
        """Return `running`, `finished`, `paused`, or `new` before the first commit."""
        if owner_of(self.folder) is not None:
            return "running"
        goal = self.reader.goal()
        if self.done is None:
            return "new"
        return "finished" if goal is not None and self.at >= goal.at else "paused"


@contextmanager
def opened_run(runs: Path, name: str) -> Iterator[OpenRun]:
    """Open a run for reading during the block; another process may run it at the same time."""
    folder = RunFolder.open(runs, name)
    with RunReader(folder) as reader:
        yield OpenRun(folder, reader, reader.watermark())


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """One row of the table of runs."""

    name: str
    forked_from: str = ""
    """The run from which this run was forked; empty if it was not forked."""
    forked_at: str = ""
    """Day and clock up to which this run and its parent share their past."""
    town: str = ""
    cast: int = 0
    reached: str = ""
    """Day and clock up to which the run has got."""
    goal: str = ""
    model: str = ""
    clean: float | None = None
    """Share of all steps whose first answer was accepted as it was, 0 to 1; None without steps."""
    odd: int = 0
    """Number of accepted answers to which a check objects."""
    fallbacks: int = 0
    state: str = ""
    problem: str = ""
    """Why the run cannot be read; empty if it can."""


def spoken_moment(moment: str) -> str:
    """Return a moment such as `1 14:30` as `day 1, 14:30`; midnight counts as the end of a day."""
    day, _, clock = moment.partition(" ")
    if not clock:
        return moment
    is_end = clock == "00:00" and day != "1"
    return f"end of day {int(day) - 1}" if is_end else f"day {day}, {clock}"


def describe_fork(row: RunRow) -> str:
    """Return where a run was forked; empty if it was not.

    `fork of amber at day 1, 11:29`: whole minutes are enough here.
    """
    if not row.forked_from:
        return ""
    day, clock = row.forked_at.split(" ")
    return f"fork of {row.forked_from} at {spoken_moment(f'{day} {clock[:5]}')}"


def newest_run(runs: Path) -> str:
    """Return the latest run of a folder that can be shown; empty if there is none.

    Runs that were never begun, that are damaged, or that another version of Smolville made are left
    out.
    """
    return next((name for name in list_runs(runs) if _can_be_shown(runs, name)), "")


def _can_be_shown(runs: Path, name: str) -> bool:
    try:
        folder = RunFolder.open(runs, name)
        if owner_of(folder) is not None:
            return True
        with RunReader(folder) as reader:
            done = reader.watermark()
            if done is not None:
                # A file may be damaged behind its first pages: this is what the list of runs reads.
                reader.counts(done)
            return done is not None
    except SmolvilleError:
        return False


def read_rows(runs: Path) -> list[RunRow]:
    """Return every run of a folder, latest first; the row of an unreadable run has the reason."""
    return [_read_row(runs, name) for name in list_runs(runs)]


def _read_row(runs: Path, name: str) -> RunRow:
    try:
        with opened_run(runs, name) as run, run.reader.snapshot():
            spec = run.folder.spec
            total = Counts.summed(run.reader.counts(run.tick).values())
            goal = run.reader.goal()
            models = dict.fromkeys((spec.models.fast, spec.models.strong))
            return RunRow(
                name=name,
                forked_from=spec.forked_from,
                forked_at=moment(_fork_second(spec)) if spec.forked_from else "",
                town=spec.town_name,
                cast=len(spec.cast),
                reached="" if run.done is None else moment(run.at - run.at % 60),
                goal=moment(goal.at) if goal else "",
                model=" + ".join(models),
                clean=total.outcomes.get("clean", 0) / total.steps if total.steps else None,
                odd=total.odd,
                fallbacks=total.outcomes.get("fallback", 0),
                state=run.state(),
            )
    except SmolvilleError as error:
        return RunRow(name=name, state="damaged", problem=str(error))


def _fork_second(spec: RunSpec) -> int:
    """Return the town second up to which a fork shares the past of its parent run."""
    return 0 if spec.forked_at is None else (spec.forked_at + 1) * spec.tick_seconds


STANDIN_TOLD = "the built-in stand-in (rules, no model)"


def describe_recording(folder: RunFolder) -> str:
    """Return a sentence on the people of a recorded day and on who answered for them.

    `A recorded day of 3 people; qwen2.5-coder-1.5b-instruct.Q4_K_M thinks for them.` Raises
    RunError if there is no such run.
    """
    with RunReader(folder) as reader:
        done = reader.watermark()
    seconds = 0 if done is None else (done + 1) * folder.spec.tick_seconds
    people = format_count(len(folder.spec.cast), "person", "people")
    models = _format_models(folder.spec)
    does = "thinks" if len(models) == 1 else "think"
    thinking = folder.spec.answers or f"{' and '.join(models)} {does} for them"
    return f"{_span(seconds)} of {people}; {thinking}."


def _format_models(spec: RunSpec) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(name_model, (spec.models.fast, spec.models.strong))))


def name_model(text: str) -> str:
    """Return a model's name for display; an unreadable spec is shown unchanged."""
    try:
        spec = parse_spec(text)
    except SpecError:
        return text
    if spec.kind == "standin":
        return f"{STANDIN_TOLD} ({text})" if spec.options else STANDIN_TOLD
    return Path(spec.target).stem if spec.kind == "gguf" else spec.target


def _span(seconds: int) -> str:
    if seconds and seconds % DAY_SECONDS == 0:
        days = seconds // DAY_SECONDS
        return "A recorded day" if days == 1 else f"{days} recorded days"
    hours = seconds // 3600
    return "A recorded hour" if hours == 1 else f"{hours} recorded hours"


def visitors_in_town(run: OpenRun) -> list[str]:
    """Return the names of the visitors in town at the end of a run, the last to come first."""
    stays = (each for each in reversed(run.reader.visits(run.tick)) if not each.by_telephone)
    return [each.name for each in stays if each.left is None]


def known_name(run: OpenRun, name: str) -> str:
    """Return a name as a known visitor spells it, or `name` if no visitor has it.

    Capitals make no difference in the comparison.
    """
    known = [each.name for each in run.reader.visits(run.tick)]
    known += [each.target for each in read_waiting(run.folder) if each.kind.startswith("visitor_")]
    asked = " ".join(name.split()).casefold()
    return next((each for each in known if each.casefold() == asked), name)


def refuse_second_visit(run: OpenRun, name: str) -> None:
    """Raise RunError for a visitor who is in town or about to come, because nobody comes twice."""
    waiting = [each for each in read_waiting(run.folder) if each.target == name]
    is_here = name in visitors_in_town(run)
    if _will_be_in_town(waiting, is_here=is_here):
        raise RunError(f"{name} is {'in town' if is_here else 'on the way'} already.")


def _will_be_in_town(waiting: list[OperatorRequest], *, is_here: bool) -> bool:
    """Return whether a visitor will be in town once the waiting requests are taken in."""
    for each in waiting:
        if each.kind in ("visitor_enters", "visitor_leaves"):
            is_here = each.kind == "visitor_enters"
    return is_here
