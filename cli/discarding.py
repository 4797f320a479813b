"""`smolville discard`: delete a run, or drop the end of it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cli.options import RunName, Yes, command, runs_dir

BackTo = Annotated[
    str | None,
    typer.Option(
        "--back-to", metavar='"1 14:30"', help="Keep everything up to then; drop what follows."
    ),
]


def discard(context: typer.Context, run: RunName, back_to: BackTo = None, yes: Yes = False) -> None:
    """Delete a run, or go back to an earlier moment of it; asks first."""
    runs = runs_dir(context)
    if back_to is None:
        _whole(runs, run, yes=yes)
    else:
        _end(runs, run, back_to, yes=yes)


def _whole(runs: Path, name: str, *, yes: bool) -> None:
    """Remove a run's folder."""
    from cli.screen import say
    from history.folder import RunFolder
    from history.removing import remove_run

    folder = RunFolder.open(runs, name)
    folder.check_own()
    if _is_sure(f"Throw away the run {name} ({folder.path}) with everything in it?", yes=yes):
        remove_run(folder)
        say(f"{name} is gone.")


def _end(runs: Path, name: str, back_to: str, *, yes: bool) -> None:
    """Drop the end of a run, after the moment `back_to`."""
    from cli.screen import say
    from cli.town_times import last_tick_before
    from history.cut import truncate
    from reports.opening import opened_run

    with opened_run(runs, name) as opened:
        seconds = opened.folder.spec.tick_seconds
        tick = last_tick_before(back_to, seconds, "--back-to")
        then, now = opened.when((tick + 1) * seconds), opened.when(opened.at)
        folder = opened.folder
        is_further = tick > opened.tick
    if is_further or _is_sure(f"Drop what {name} lived from {then} to {now}?", yes=yes):
        truncate(folder, tick)
        say(f"{name} keeps its past up to {then}.")
        say(f"Let it go on with: {command(runs, 'run', name, '--resume')}", "dim")


def _is_sure(question: str, *, yes: bool) -> bool:
    """Return True once the operator has confirmed; raise RunError where nobody can answer."""
    if yes:
        return True
    if not sys.stdin.isatty():
        from agents.errors import RunError

        raise RunError(f"{question} Nobody can be asked here; add --yes to do it.")
    from cli.screen import confirmed

    if not confirmed(question):
        raise typer.Exit(1)
    return True
