"""`smolville compare`: whether two runs are the same, or one is what its record gives."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import SettingError
from smolville.agents.times import moment
from smolville.agents.wording import format_count
from smolville.cli.options import AsJson, RunName, runs_dir, settings_of
from smolville.cli.screen import View, show_view, write

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.reports.diff import Doing, FirstDifference, RunDifference, Verification
    from smolville.reports.runs import OpenRun

Other = Annotated[
    str | None,
    typer.Argument(metavar="OTHER", help="The run to compare with; by default RUN's own record."),
]
Digest = Annotated[
    bool,
    typer.Option("--digest", help="Print only one hash of RUN's history; equal runs have one."),
]
DIFFERENT = 1
"""Exit code for runs that are not equal, the same as that of the Unix command `diff`."""


def compare(
    context: typer.Context,
    run: RunName,
    other: Other = None,
    digest: Digest = False,
    as_json: AsJson = False,
) -> None:
    """Say whether two runs are the same, or a run and its record.

    Two runs are compared up to the time that both have reached; how they were scheduled makes no
    difference. Shown is where and why they part, and for each person the first moment at which
    they do different things.

    One run is rebuilt without a model in a temporary folder: recorded replies stand in for the
    models, and events from outside arrive at the same moments. The rebuilt run must be equal up to
    the last complete tick.

    The exit code is 0 for the same, 1 for different, and 2 where nothing can be compared.
    """
    from smolville.reports.runs import opened_run

    runs = runs_dir(context)
    with opened_run(runs, run) as opened:
        if digest:
            from smolville.history.digest import digest as digest_of

            if other is not None or as_json:
                raise SettingError("--digest is of one run, and a single line.")
            write(digest_of(opened.reader))
            return
        if other is None:
            from smolville.cli.settings.key_hosts import key_hosts
            from smolville.reports.diff import verify_run

            found = verify_run(opened, key_hosts(settings_of(context)))
            view: View = VerificationView(opened, found)
            is_same = found.is_same
        else:
            from smolville.reports.diff import compare_runs

            with opened_run(runs, other) as second:
                compared = compare_runs(opened, second)
            view, is_same = DiffView(opened, compared), compared.is_equal
        show_view(view, as_json=as_json)
    if not is_same:
        raise typer.Exit(DIFFERENT)


@dataclass(frozen=True)
class DiffView:
    """A comparison of two runs; town times are written with the dates of the first run."""

    run: "OpenRun"
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
            "sentence": self._sentence(),
            "asked_differently": [
                {"name": name, "values": list(values)} for name, values in found.spec.items()
            ],
            "only": [list(names) for names in found.only],
            "first": None if found.first is None else _plain_first(found.first),
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

    def _sentence(self) -> str:
        from smolville.reports.diff import describe_difference

        return describe_difference(self.found, self.run.format_time)

    def render(self) -> "RenderableType":
        """Return the sentence, the point at which the runs diverge, and lines for each person."""
        from rich.console import Group

        from smolville.lab.styled import Text
        from smolville.reports.diff import format_spec

        found = self.found
        lines: list[RenderableType] = [Text(self._sentence(), style="bold")]
        if not found.fundamental:
            told = format_spec(found.spec)
            lines += [Text(f"Asked for differently: {each}", style="dim") for each in told]
        for name, people in zip(found.names, found.only, strict=True):
            if people:
                lines.append(Text(f"Only in {name}: {', '.join(people)}", style="dim"))
        if found.first is not None:
            lines += [Text(), *_render_first(found.first, self.run)]
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
                    yield _doing_table(self.found.names, each.parts.at, each.parts.sides)
        same = [each.name for each in self.found.people if not each.is_different]
        if same:
            yield Text()
            yield Text(f"Nothing differs for: {', '.join(same)}", style="dim")


@dataclass(frozen=True)
class VerificationView:
    """The result of rebuilding a run."""

    run: "OpenRun"
    found: "Verification"

    def plain(self) -> object:
        """Return the verdict, and the place and cause of the first difference."""
        found = self.found
        question = found.unrecorded
        return {
            "run": found.name,
            "same": found.is_same,
            "digest": found.digest,
            "at": moment(found.at),
            "rebuilt": moment(found.rebuilt),
            "sentence": self._sentence(),
            "difference": None if found.difference is None else _plain_first(found.difference),
            "unrecorded": None if question is None else str(question),
            "other_versions": list(found.versions),
        }

    def _sentence(self) -> str:
        found = self.found
        when = self.run.format_time(found.at)
        if found.is_same:
            return (
                f"{found.name} is rebuilt from its record up to {when}, the same: {found.digest}."
            )
        if found.difference is not None:
            return f"{found.name} is not what its record gives; the rebuilt run differs."
        return f"{found.name} cannot be rebuilt by this program: {self._format_question()}."

    def _format_question(self) -> str:
        """Return a question of the rebuilt run that was not recorded, and when it was asked."""
        question = self.found.unrecorded
        if question is None:
            return "nothing is missing"
        if question.recorded is None:
            return f"after {self.run.format_time(self.found.rebuilt)}, {question}"
        at = question.recorded.key.tick * self.run.folder.spec.tick_seconds
        return f"on {self.run.format_time(at)}, {question}"

    def _format_versions(self) -> str:
        """Return which version of the program the run needs."""
        found = self.found
        if found.versions:
            return f"It needs the versions that made it: {', '.join(found.versions)}."
        program = self.run.folder.spec.versions.get("smolville", "unknown")
        return (
            f"It was made by this version, smolville {program}; so the run's folder was changed, "
            "or the program is in another state of that version."
        )

    def render(self) -> "RenderableType":
        """Return the verdict, where the rebuilt run first differs, and which version is needed."""
        from rich.console import Group

        from smolville.lab.styled import Text

        found = self.found
        lines: list[RenderableType] = [Text(self._sentence(), style="bold")]
        if found.difference is not None:
            lines += _render_first(found.difference, self.run)
            if found.deeds is not None:
                names = ("recorded", "rebuilt")
                lines.append(_doing_table(names, found.deeds.at, found.deeds.sides))
            if found.unrecorded is not None:
                lines.append(Text(f"It ends early: {self._format_question()}."))
        if not found.is_same:
            lines.append(Text(self._format_versions(), style="dim"))
        return Group(*lines)


def _plain_first(first: "FirstDifference") -> dict[str, object]:
    """Return a first difference as plain data."""
    return {
        "time": moment(first.at),
        "agent": first.agent,
        "also": list(first.also),
        "tables": list(first.tables),
        "cause": first.cause,
    }


def _render_first(first: "FirstDifference", run: "OpenRun") -> "Iterator[RenderableType]":
    """Yield lines on the first difference: its time, person and cause."""
    from smolville.lab.styled import Text

    who = first.agent or "the town"
    also = f" (and {format_count(len(first.also), 'other')})" if first.also else ""
    head = f"They part on {run.format_time(first.at)}, {who}{also}"
    if first.tables:
        head += f", in {', '.join(first.tables)}"
    yield Text(f"{head}.", style="bold")
    yield Text(f"Cause: {first.cause[0].upper()}{first.cause[1:]}")


def _doing_table(names: tuple[str, str], at: int, doing: "tuple[Doing, Doing]") -> "RenderableType":
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
