"""`smolville compare`: whether two runs are the same, or one is what its record gives."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import SettingError
from smolville.agents.times import moment
from smolville.agents.wording import format_count
from smolville.cli.options import AsJson, RunName, runs_dir, settings_of
from smolville.cli.screen import show_view, write

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.cli.tables import Page
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
            view = _verification(opened, found)
            is_same = found.is_same
        else:
            from smolville.reports.diff import compare_runs

            with opened_run(runs, other) as second:
                compared = compare_runs(opened, second)
            view, is_same = _differences(opened, compared), compared.is_equal
        show_view(view, as_json=as_json)
    if not is_same:
        raise typer.Exit(DIFFERENT)


def _differences(run: "OpenRun", found: "RunDifference") -> "Page":
    """Return a comparison of two runs; town times are written with the dates of the first run."""
    from smolville.cli.tables import Page
    from smolville.lab.styled import Text
    from smolville.reports.diff import describe_difference, format_spec

    sentence = describe_difference(found, run.format_time)
    data = {
        "runs": found.names,
        "equal": found.is_equal,
        "digest": found.digest or None,
        "lived": [moment(at) for at in found.lived],
        "shared": moment(found.shared),
        "sentence": sentence,
        "asked_differently": dict(found.spec),
        "only": found.only,
        "first": _plain_first(found.first),
        "people": [
            {
                "name": name,
                "parts": parts and moment(parts.at),
                "doing": parts and [side.words for side in parts.sides],
            }
            for name, parts in found.people.items()
        ],
    }
    told = [] if found.fundamental else format_spec(found.spec)
    lines: list[RenderableType] = [Text(sentence, style="bold")]
    lines += [Text(f"Asked for differently: {each}", style="dim") for each in told]
    for name, people in zip(found.names, found.only, strict=True):
        if people:
            lines.append(Text(f"Only in {name}: {', '.join(people)}", style="dim"))
    if found.first is None:
        return Page(data, lines)
    lines += [Text(), *_render_first(found.first, run)]
    for name, parts in found.people.items():
        if parts is not None:
            lines += [Text(), Text(name, style="bold")]
            lines.append(_doing_table(found.names, parts.at, parts.sides))
    if same := [name for name, parts in found.people.items() if parts is None]:
        lines += [Text(), Text(f"The same at every moment: {', '.join(same)}", style="dim")]
    return Page(data, lines)


def _verification(run: "OpenRun", found: "Verification") -> "Page":
    from smolville.cli.tables import Page
    from smolville.lab.styled import Text

    question, sentence = _format_question(run, found), ""
    if found.is_same:
        when = run.format_time(found.at)
        sentence = (
            f"{found.name} is rebuilt from its record up to {when}, the same: {found.digest}."
        )
    elif found.difference is not None:
        sentence = f"{found.name} is not what its record gives; the rebuilt run differs."
    else:
        sentence = f"{found.name} cannot be rebuilt by this program: {question}."
    data = {
        "run": found.name,
        "same": found.is_same,
        "digest": found.digest,
        "at": moment(found.at),
        "rebuilt": moment(found.rebuilt),
        "sentence": sentence,
        "difference": _plain_first(found.difference),
        "unrecorded": None if found.unrecorded is None else str(found.unrecorded),
        "other_versions": found.versions,
    }
    lines: list[RenderableType] = [Text(sentence, style="bold")]
    if found.difference is not None:
        lines += _render_first(found.difference, run)
        if found.deeds is not None:
            lines.append(_doing_table(("recorded", "rebuilt"), found.deeds.at, found.deeds.sides))
        if found.unrecorded is not None:
            lines.append(Text(f"It ends early: {question}."))
    if not found.is_same:
        program = run.folder.spec.versions.get("smolville", "unknown")
        told = (
            f"It needs the versions that made it: {', '.join(found.versions)}."
            if found.versions
            else f"It was made by this version, smolville {program}; so the run's folder was "
            "changed, or the program is in another state of that version."
        )
        lines.append(Text(told, style="dim"))
    return Page(data, lines)


def _format_question(run: "OpenRun", found: "Verification") -> str:
    question = found.unrecorded
    if question is None:
        return "nothing is missing"
    if question.tick is None:
        return f"after {run.format_time(found.rebuilt)}, {question}"
    at = question.tick * run.folder.spec.tick_seconds
    return f"on {run.format_time(at)}, {question}"


def _plain_first(first: "FirstDifference | None") -> dict[str, object] | None:
    return None if first is None else {**asdict(first), "time": moment(first.at)}


def _render_first(first: "FirstDifference", run: "OpenRun") -> "Iterator[RenderableType]":
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
