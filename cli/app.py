"""All commands of `smolville`, in the order in which they are listed.

Help is plain text: typer's rich help takes as long to load as everything else together.
"""

from typing import Annotated

import typer

from cli.discarding import discard
from cli.doctor.command import doctor
from cli.exporting.group import export
from cli.forking import fork
from cli.guard import CommandGroup
from cli.health.command import health
from cli.interviewing import interview
from cli.listing import runs
from cli.metrics import metrics
from cli.moments.command import moments
from cli.options import Prompts, RunsDir, SettingsFile, SharedOptions, prompts_flag
from cli.prompt.group import prompt
from cli.recalling import recall
from cli.reembedding import reembed
from cli.run.command import run
from cli.settings.command import settings as show_settings
from cli.show.command import show
from cli.telling import digest, timeline
from cli.town import town
from cli.tracing.command import trace
from cli.try_model import try_model
from cli.viewing.command import view
from cli.visiting.command import announce, talk, visit
from cli.wishing import history, set_state, whisper

app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"max_content_width": 100},
    pretty_exceptions_enable=False,
    help="A town of generative agents that lives on the small chat model already on your machine.",
    epilog="Begin with: smolville run",
)


def _version(wanted: bool) -> None:
    """Print the version and exit."""
    if wanted:
        from importlib.metadata import version

        from cli.screen import write

        write(f"smolville {version('smolville')}")
        raise typer.Exit


@app.callback()
def smolville(
    context: typer.Context,
    runs: RunsDir = None,
    settings: SettingsFile = None,
    prompts: Prompts = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Store the runs folder, settings file and templates for the command that follows."""
    context.obj = SharedOptions(runs, settings, tuple(prompts or ()))
    if context.invoked_subcommand != "prompt":
        prompts_flag(context)


app.command()(run)
app.command()(view)
app.command()(show)
app.command()(timeline)
app.command()(recall)
app.command()(interview)
app.command()(whisper)
app.command("set")(set_state)
app.command()(announce)
app.command()(visit)
app.command()(talk)
app.command()(history)
app.command("settings")(show_settings)
app.command()(runs)
app.command()(health)
app.command()(metrics)
app.command()(moments)
app.command()(trace)
app.command()(fork)
app.command()(reembed)
app.command()(discard)
app.command()(digest)
app.command()(town)
app.command()(doctor)
app.command("try-model")(try_model)
app.add_typer(prompt, name="prompt")
app.add_typer(export, name="export")
