"""`smolville diff`: when and how two runs diverge, and what each person did from then on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.times import moment
from smolville.agents.wording import format_count
from smolville.cli.options import AsJson, RunName, runs_dir
from smolville.cli.screen import show_view

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.reports.diff.compare import FirstDifference, RunDifference
    from smolville.reports.diff.people import DatedDeed, PersonDifference
    from smolville.reports.runs import OpenRun

Other = Annotated[str, typer.Argument(metavar="RUN", help="The run to compare with the first one.")]
DIFFERENT = 1
"""Exit code for runs that are not equal, the same as that of the Unix command `diff`."""


def diff(context: typer.Context, run: RunName, other: Other, as_json: AsJson = False) -> None:
    """Show whether two runs are equal, and where and why they diverge.

    For each person, shows what differs from then on: the first deed that only one run has, and the
    numbers of deeds, talks and memories that differ. Runs are compared up to the time that both
    have reached; how they were scheduled makes no difference. The exit code is 0 for equal runs, 1
    for different ones, and 2 where they cannot be compared.
    """
    from smolville.reports.diff.compare import compare_runs
    from smolville.reports.runs import opened_run

    runs = runs_dir(context)
    with opened_run(runs, run) as one, opened_run(runs, other) as two:
        found = compare_runs(one, two)
        show_view(DiffView(one, two, found), as_json=as_json)
    if not found.is_equal:
        raise typer.Exit(DIFFERENT)


@dataclass(frozen=True)
class DiffView:
    """A comparison of two runs; town times are written with the dates of the first run."""

    run: "OpenRun"
    other: "OpenRun"
    found: "RunDifference"

    def plain(self) -> object:
        """Return everything that was compared."""
        found = self.found
        return {
            "runs": list(found.names),
            "equal": found.is_equal,
            "digest": found.digest or None,
            "lived": [moment(at) for at in found.lived],
            "shared": moment(found.shared),
            "sentence": self.sentence(),
            "asked_differently": [
                {"name": each.name, "values": list(each.values)} for each in found.spec
            ],
            "only": [list(names) for names in found.only],
            "first": None if found.first is None else plain_first(found.first),
            "deeds": self._plain_deeds(),
            "people": [_plain_person(each) for each in found.people],
        }

    def sentence(self) -> str:
        """Return whether the runs are equal, and if not, up to which moment they are."""
        from smolville.reports.diff.compare import describe_difference

        return describe_difference(self.found, self.run.format_time)

    def render(self) -> "RenderableType":
        """Return the sentence, the point at which the runs diverge, and a block for each person."""
        from rich.console import Group

        from smolville.lab.styled import Text

        return Group(
            Text(self.sentence(), style="bold"),
            *self._render_spec(),
            *self._render_first(),
            *self._render_people(),
        )

    def _render_spec(self) -> "Iterator[RenderableType]":
        """Yield the differences in the runs' options, and the people who are in only one run."""
        from smolville.lab.styled import Text

        for difference in self.found.spec:
            if not difference.is_fundamental:
                yield Text(f"Asked for differently: {difference}", style="dim")
        for name, people in zip(self.found.names, self.found.only, strict=True):
            if people:
                yield Text(f"Only in {name}: {', '.join(people)}", style="dim")

    def _render_first(self) -> "Iterator[RenderableType]":
        """Yield the point at which the histories diverge, and why."""
        from smolville.lab.styled import Text
        from smolville.reports.diff.first_deed import describe_first_deed

        first = self.found.first
        if first is None:
            return
        yield Text()
        yield from render_first(first, self.run, self.found.names)
        if self.found.deeds is not None:
            yield Text(describe_first_deed(self.found.deeds, self.run, self.other))

    def _plain_deeds(self) -> dict[str, object] | None:
        """Return the first moment at which people do different things; None if they never do."""
        deeds = self.found.deeds
        if deeds is None:
            return None
        sides = [each.words for each in deeds.sides]
        return {"time": moment(deeds.at), "agent": deeds.name, "doing": sides}

    def _render_people(self) -> "Iterator[RenderableType]":
        """Yield a part for each person whose history differs between the runs."""
        from smolville.lab.styled import Text

        same = [each.name for each in self.found.people if not each.is_different]
        for person in self.found.people:
            if person.is_different:
                yield Text()
                yield Text.assemble((person.name, "bold"), f"  {_format_counts(person)}")
                if any(person.first) and not self._is_told(person):
                    yield deed_table(self.found.names, person.first, "no deed of its own")
        if same and self.found.first is not None:
            yield Text()
            yield Text(f"Nothing differs for: {', '.join(same)}", style="dim")

    def _is_told(self, person: "PersonDifference") -> bool:
        """Return whether this person's first difference is also the runs' first, shown above."""
        first = self.found.first
        return first is not None and (first.agent, first.doing) == (person.name, person.first)


def plain_first(first: "FirstDifference") -> dict[str, object]:
    """Return a first difference as plain data."""
    return {
        "time": moment(first.at),
        "agent": first.agent,
        "also": list(first.also),
        "tables": list(first.tables),
        "cause": {
            "kind": first.cause.kind,
            "agent": first.cause.agent,
            "step": first.cause.step,
            "sentence": first.cause.sentence,
        },
        "doing": [_plain_deed(each) for each in first.doing],
    }


def render_first(
    first: "FirstDifference", run: "OpenRun", names: tuple[str, str]
) -> "Iterator[RenderableType]":
    """Yield lines on the first difference: its time, person and reason, and each run's deed."""
    from smolville.lab.styled import Text

    who = first.agent or "the town"
    also = f" (and {format_count(len(first.also), 'other')})" if first.also else ""
    head = f"They part on {run.format_time(first.at)}, {who}{also}"
    if first.tables:
        head += f", in {', '.join(first.tables)}"
    yield Text(f"{head}.", style="bold")
    sentence = first.cause.sentence
    yield Text(f"Cause: {sentence[0].upper()}{sentence[1:]}")
    if any(first.doing):
        yield deed_table(names, first.doing, "nothing yet")


def deed_table(
    names: tuple[str, str], deeds: "tuple[DatedDeed | None, DatedDeed | None]", nothing: str
) -> "RenderableType":
    """Return a table with a row per run: its name, and the time, text and reason of its deed.

    The text `nothing` is shown for a run without a deed.
    """
    from rich.table import Table

    from smolville.cli.tables import to_the_minute
    from smolville.lab.styled import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", overflow="fold", max_width=20)
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for name, deed in zip(names, deeds, strict=True):
        if deed is None:
            table.add_row(f"  {name}", "", Text(nothing, style="dim"))
            continue
        table.add_row(f"  {name}", to_the_minute(deed.at), deed.told)
        if deed.why:
            table.add_row("", "", Text(deed.why, style="dim"))
    return table


def _format_counts(person: "PersonDifference") -> str:
    """Return the numbers of a person's deeds, talks and memories that only one of the runs has."""
    parts = (("deeds", person.deeds), ("talks", person.talks), ("memories", person.memories))
    return " · ".join(f"{name} {mine} and {theirs}" for name, (mine, theirs) in parts)


def _plain_person(person: "PersonDifference") -> dict[str, object]:
    return {
        "name": person.name,
        "first": [_plain_deed(each) for each in person.first],
        "deeds": list(person.deeds),
        "talks": list(person.talks),
        "memories": list(person.memories),
    }


def _plain_deed(deed: "DatedDeed | None") -> dict[str, object] | None:
    return None if deed is None else {"time": moment(deed.at), "does": deed.words, "why": deed.why}
