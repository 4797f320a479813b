"""`smolville diff`: whether two runs are equal, and where and why they and their people part."""

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

    from smolville.reports.diff import Doing, FirstDifference, RunDifference
    from smolville.reports.runs import OpenRun

Other = Annotated[str, typer.Argument(metavar="RUN", help="The run to compare with the first one.")]
DIFFERENT = 1
"""Exit code for runs that are not equal, the same as that of the Unix command `diff`."""


def diff(context: typer.Context, run: RunName, other: Other, as_json: AsJson = False) -> None:
    """Show whether two runs are equal, and where and why they diverge.

    For each person, shows the first moment at which they do different things, and how many deeds,
    talks and memories only one of the runs has. Runs are compared up to the time that both have
    reached; how they were scheduled makes no difference. The exit code is 0 for equal runs, 1 for
    different ones, and 2 where they cannot be compared.
    """
    from smolville.reports.diff import compare_runs
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
                {"name": name, "values": list(values)} for name, values in found.spec.items()
            ],
            "only": [list(names) for names in found.only],
            "first": None if found.first is None else plain_first(found.first),
            "people": [
                {
                    "name": each.name,
                    "parts": each.parts and moment(each.parts.at),
                    "doing": each.parts and [side.words for side in each.parts.sides],
                    **{kind: list(pair) for kind, pair in each.only.items()},
                }
                for each in found.people
            ],
        }

    def sentence(self) -> str:
        """Return whether the runs are equal, and if not, up to which moment they are."""
        from smolville.reports.diff import describe_difference

        return describe_difference(self.found, self.run.format_time)

    def render(self) -> "RenderableType":
        """Return the sentence, the point at which the runs diverge, and lines for each person."""
        from rich.console import Group

        from smolville.lab.styled import Text
        from smolville.reports.diff import format_spec

        found = self.found
        lines: list[RenderableType] = [Text(self.sentence(), style="bold")]
        if not found.fundamental:
            told = format_spec(found.spec)
            lines += [Text(f"Asked for differently: {each}", style="dim") for each in told]
        for name, people in zip(found.names, found.only, strict=True):
            if people:
                lines.append(Text(f"Only in {name}: {', '.join(people)}", style="dim"))
        if found.first is not None:
            lines += [Text(), *render_first(found.first, self.run)]
            lines += self._people()
        return Group(*lines)

    def _people(self) -> "Iterator[RenderableType]":
        """Yield lines on each person whose history differs between the runs."""
        from smolville.lab.styled import Text

        for each in self.found.people:
            if each.is_different:
                counts = (
                    f"{kind} {mine} and {theirs}" for kind, (mine, theirs) in each.only.items()
                )
                yield Text()
                yield Text.assemble((each.name, "bold"), f"  only there: {' · '.join(counts)}")
                if each.parts is not None:
                    yield doing_table(self.found.names, each.parts.at, each.parts.sides)
        same = [each.name for each in self.found.people if not each.is_different]
        if same:
            yield Text()
            yield Text(f"Nothing differs for: {', '.join(same)}", style="dim")


def plain_first(first: "FirstDifference") -> dict[str, object]:
    """Return a first difference as plain data."""
    return {
        "time": moment(first.at),
        "agent": first.agent,
        "also": list(first.also),
        "tables": list(first.tables),
        "cause": first.cause,
    }


def render_first(first: "FirstDifference", run: "OpenRun") -> "Iterator[RenderableType]":
    """Yield lines on the first difference: its time, person and cause."""
    from smolville.lab.styled import Text

    who = first.agent or "the town"
    also = f" (and {format_count(len(first.also), 'other')})" if first.also else ""
    head = f"They part on {run.format_time(first.at)}, {who}{also}"
    if first.tables:
        head += f", in {', '.join(first.tables)}"
    yield Text(f"{head}.", style="bold")
    yield Text(f"Cause: {first.cause[0].upper()}{first.cause[1:]}")


def doing_table(names: tuple[str, str], at: int, doing: "tuple[Doing, Doing]") -> "RenderableType":
    """Return a table with a row per run: its name, a time, and what somebody does then."""
    from rich.table import Table

    from smolville.cli.tables import to_the_minute
    from smolville.lab.styled import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", overflow="fold", max_width=20)
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for name, side in zip(names, doing, strict=True):
        still = "still " if side.since < at else ""
        words = f"{still}{side.words}" if side.words else "nothing yet"
        table.add_row(f"  {name}", to_the_minute(at), Text(words))
    return table
