"""`smolville runs` and `fork`: list runs, delete one, or fork one."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError
from smolville.agents.times import moment, read_moment
from smolville.agents.wording import percent
from smolville.cli.options import AsJson, RunName, Yes, command, runs_dir
from smolville.cli.screen import confirmed, console, say, show_view

if TYPE_CHECKING:
    from smolville.cli.tables import Page
    from smolville.reports.runs import RunRow


Name = Annotated[
    str | None, typer.Argument(metavar="RUN", help="Only this run; needed by what follows.")
]
Delete = Annotated[bool, typer.Option("--delete", help="Delete RUN; asks first.")]


def runs(
    context: typer.Context,
    name: Name = None,
    delete: Delete = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """List the runs, the latest first; or delete one."""
    from smolville.history.folder import SAMPLES
    from smolville.reports.runs import read_rows

    folder = runs_dir(context)
    if delete:
        if name is None:
            raise RunError("Name the run to delete.")
        _remove_run(folder, name, yes=yes)
        return
    rows = [row for row in read_rows(folder) if name in (None, row.name)]
    if name is not None and not rows:
        raise RunError(f"There is no run {name!r} in {folder}.")
    if not rows and not as_json:
        say(f"There are no runs in {folder} yet; begin one with: smolville run")
        offers = " or ".join(f"smolville view {name}" for name in SAMPLES)
        say(f"Recorded days come with the program: {offers}", "dim")
        return
    show_view(runs_page(rows), as_json=as_json)


LONG = 20
"""Number of characters beyond which a name may be wrapped."""
STATE_STYLES = {"running": "green", "finished": "dim", "damaged": "red"}


def runs_page(rows: "Sequence[RunRow]") -> "Page":
    """Return a table with a row per run."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from smolville.cli.tables import ROOMY, Page, short_model
    from smolville.lab.styled import Text
    from smolville.reports.runs import describe_fork

    is_narrow = console().width < ROOMY
    has_towns = len({row.town for row in rows if row.town}) > 1
    lengths = [len(row.name) for row in rows]
    whole = min(LONG, max([*lengths, len("run")]))
    table = Table(
        box=SIMPLE_HEAD,
        pad_edge=False,
        header_style="bold",
        padding=(0, 1, 0, 0) if is_narrow else (0, 1),
    )
    # Models and long names are wrapped where there is no room; moments and numbers never are.
    table.add_column("run", style="bold", overflow="fold", width=whole if is_narrow else None)
    if has_towns:
        table.add_column("town")
    table.add_column("cast", justify="right", no_wrap=True)
    table.add_column("reached", justify="right", no_wrap=True)
    table.add_column("goal", justify="right", style="dim", no_wrap=True)
    table.add_column("model", overflow="fold", min_width=6)
    table.add_column("clean", justify="right", no_wrap=True)
    table.add_column("fall" if is_narrow else "fallback", justify="right", no_wrap=True)
    table.add_column("state", no_wrap=True)
    for row in rows:
        town = (row.town,) if has_towns else ()
        table.add_row(
            *(row.name, *town, str(row.cast or ""), row.reached, row.goal),
            short_model(row.model),
            "" if row.clean is None else percent(row.clean, 1, 0, gap=""),
            Text(str(row.fallbacks), style="yellow" if row.fallbacks else "dim"),
            Text(row.state, style=STATE_STYLES.get(row.state, "")),
        )
    problems = [Text(row.problem, style="red") for row in rows if row.problem]
    told = [(row.name, describe_fork(row)) for row in rows]
    forks = [Text(f"{name}: {fork}", style="dim") for name, fork in told if fork]
    return Page([asdict(row) for row in rows], [table, *forks, *problems])


NewName = Annotated[str, typer.Argument(metavar="NEW", help="The new run's name.")]
At = Annotated[
    str | None,
    typer.Option(
        "--at", metavar='"1 14:30"', help="The moment to fork at; by default the end of the run."
    ),
]


def fork(context: typer.Context, run: RunName, new: NewName, at: At = None) -> None:
    """Begin a new run with the history of this run, up to a moment."""
    from smolville.history.cut import fork as fork_run
    from smolville.reports.runs import opened_run

    runs = runs_dir(context)
    with opened_run(runs, run) as opened:
        if opened.done is None:
            raise RunError(f"The run {run!r} has not started yet; there is nothing to fork.")
        seconds = opened.folder.spec.tick_seconds
        tick = opened.tick if at is None else _last_tick_before(at, seconds)
        when = opened.format_time((tick + 1) * seconds)
    made = fork_run(runs, run, new, tick)
    say(f"{made.name} shares the past of {run} up to {when}.")
    say(f"Let it go on with: {command(runs, 'run', made.name, '--resume')}", "dim")


def _remove_run(runs: Path, name: str, *, yes: bool) -> None:
    from smolville.history.drafting import remove_run
    from smolville.history.folder import RunFolder

    folder = RunFolder.open(runs, name)
    folder.check_own()
    question = f"Throw away the run {name} ({folder.path}) with everything in it?"
    if not yes and not sys.stdin.isatty():
        raise RunError(f"{question} Nobody can be asked here; add --yes to do it.")
    if not (yes or confirmed(question)):
        raise typer.Exit(1)
    remove_run(folder)
    say(f"{name} is gone.")


def _last_tick_before(text: str, tick_seconds: int) -> int:
    """Return the last tick that has ended by a time such as `1 14:30`; RunError if none has."""
    try:
        at = read_moment(text)
    except ValueError as error:
        raise RunError(f"--at: {error}.") from error
    tick = at // tick_seconds - 1
    if tick < 0:
        raise RunError(
            f"--at {text!r}: nothing has happened before it; the first moment is "
            f"{moment(tick_seconds)}."
        )
    return tick
