"""`smolville fork`: start a new run from a moment of an existing one."""

from typing import Annotated

import typer

from cli.options import RunName, command, runs_dir

NewName = Annotated[str, typer.Argument(metavar="NEW", help="The new run's name.")]
At = Annotated[
    str | None,
    typer.Option(
        "--at", metavar='"1 14:30"', help="The moment to fork at; where the run stands by default."
    ),
]


def fork(context: typer.Context, run: RunName, new: NewName, at: At = None) -> None:
    """Begin another run that shares this one's past, up to a moment."""
    from agents.errors import RunError
    from cli.screen import say
    from cli.town_times import last_tick_before
    from history.cut import fork as fork_run
    from reports.opening import opened_run

    runs = runs_dir(context)
    with opened_run(runs, run) as opened:
        if opened.done is None:
            raise RunError(f"The run {run!r} has not lived yet; there is nothing to fork.")
        seconds = opened.folder.spec.tick_seconds
        tick = opened.tick if at is None else last_tick_before(at, seconds, "--at")
        when = opened.when((tick + 1) * seconds)
    made = fork_run(runs, run, new, tick)
    say(f"{made.name} shares the past of {run} up to {when}.")
    say(f"Let it go on with: {command(runs, 'run', made.name, '--resume')}", "dim")
