"""All commands of `smolville`, in the order in which they are listed."""

from pathlib import Path
from typing import Annotated

import typer

from cli.discarding import discard
from cli.forking import fork
from cli.guard import Guard
from cli.interviewing import interview
from cli.listing import runs
from cli.options import DEFAULT_RUNS, RunsDir
from cli.recalling import recall
from cli.run.command import run
from cli.show.command import show
from cli.telling import digest, timeline
from cli.town import town
from cli.wishing import history, set_state, whisper

WATCH, ACT, MORE = "Watch and read", "Step in", "Runs and towns"

app = typer.Typer(
    cls=Guard,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="A town of generative agents that lives on the small chat model already on your machine.",
    epilog="Begin with: smolville run",
)


def _version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from importlib.metadata import version

        from cli.screen import write

        write(f"smolville {version('smolville')}")
        raise typer.Exit


@app.callback()
def smolville(
    context: typer.Context,
    runs: RunsDir = DEFAULT_RUNS,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Keep where the runs live for the command that follows."""
    context.obj = Path(runs)


app.command()(run)
app.command(rich_help_panel=WATCH)(show)
app.command(rich_help_panel=WATCH)(timeline)
app.command(rich_help_panel=WATCH)(recall)
app.command(rich_help_panel=WATCH)(interview)
app.command(rich_help_panel=ACT)(whisper)
app.command("set", rich_help_panel=ACT)(set_state)
app.command(rich_help_panel=ACT)(history)
app.command(rich_help_panel=MORE)(runs)
app.command(rich_help_panel=MORE)(fork)
app.command(rich_help_panel=MORE)(discard)
app.command(rich_help_panel=MORE)(digest)
app.command(rich_help_panel=MORE)(town)
