"""All commands of `smolville`, in the order in which they are listed.

Help is plain text, because typer's rich help takes as long to load as everything else together.
"""

from functools import cache
from typing import Annotated

import typer
from typer.core import TyperGroup
from typer.main import get_group

from smolville.cli.ablate import ablate
from smolville.cli.diff import diff
from smolville.cli.doctor import doctor
from smolville.cli.export import export_html, export_moments
from smolville.cli.guard import CommandGroup
from smolville.cli.interview import interview
from smolville.cli.keywords import keywords
from smolville.cli.memory import recall, reembed
from smolville.cli.moments import moments
from smolville.cli.new import new_persona, new_templates, new_town
from smolville.cli.options import Prompts, RunsDir, Set, SettingsFile, SharedOptions, prompts_flag
from smolville.cli.prompt.again import try_prompt
from smolville.cli.prompt.catalogue import (
    eject_prompts,
    lint_prompts,
    list_prompts,
    show_prompt,
)
from smolville.cli.prompt.evaluate import eval_prompts
from smolville.cli.prompt.judge import judge_prompts
from smolville.cli.prompt.render import render_prompt
from smolville.cli.replay import replay
from smolville.cli.report import digest, health, metrics, timeline
from smolville.cli.routines import list_routines
from smolville.cli.run.command import run
from smolville.cli.runs import discard, fork, runs
from smolville.cli.screen import write
from smolville.cli.settings.command import settings as show_settings
from smolville.cli.settings.flags import SettingsCommand
from smolville.cli.show.command import show
from smolville.cli.town import town, town_path
from smolville.cli.trace import trace
from smolville.cli.try_model import try_model
from smolville.cli.view import view
from smolville.cli.visit import announce, talk, visit
from smolville.cli.whisper import history, set_state, whisper

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


def _version(is_asked_for: bool) -> None:
    """Print the version and exit."""
    if is_asked_for:
        from importlib.metadata import version

        write(f"smolville {version('smolville')}")
        raise typer.Exit


def _group(help_text: str, epilog: str) -> typer.Typer:
    """Return an empty command group; called without a command, it prints its help."""
    made = typer.Typer(
        invoke_without_command=True,
        rich_markup_mode=None,
        context_settings={"max_content_width": 100},
        help=help_text,
        epilog=epilog,
    )

    @made.callback()
    def explain(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            write(context.get_help(), on_stderr=True)
            raise typer.Exit(2)

    return made


@app.callback()
def smolville(
    context: typer.Context,
    runs: RunsDir = None,
    settings: SettingsFile = None,
    prompts: Prompts = None,
    set_: Set = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Store the options of all commands for the command that follows."""
    context.obj = SharedOptions(runs, settings, tuple(prompts or ()), tuple(set_ or ()))
    if context.invoked_subcommand != "prompt":
        prompts_flag(context)


app.command(cls=SettingsCommand)(run)
app.command()(view)
app.command()(show)
app.command()(timeline)
app.command()(recall)
app.command()(interview)
app.command()(keywords)
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
app.command()(diff)
app.command()(replay)
app.command()(town)
app.command("town path")(town_path)
app.command()(doctor)
app.command("try-model")(try_model)
app.command()(ablate)

prompt = _group(
    "Look at templates, change them, try and measure them.",
    "Begin with: smolville prompt list",
)
prompt.command("list")(list_prompts)
prompt.command("show")(show_prompt)
prompt.command("render")(render_prompt)
prompt.command("lint")(lint_prompts)
prompt.command("eject")(eject_prompts)
prompt.command("try")(try_prompt)
prompt.command("eval")(eval_prompts)
prompt.command("judge")(judge_prompts)
app.add_typer(prompt, name="prompt")

new = _group(
    "Copy the town to change it, and add people to it.",
    "Begin with: smolville new town mine",
)
new.command("town")(new_town)
new.command("persona")(new_persona)
new.command("templates")(new_templates)
app.add_typer(new, name="new")

routines = _group(
    "Show the routines that people repeat without asking a model.",
    "Begin with: smolville routines list RUN",
)
routines.command("list")(list_routines)
app.add_typer(routines, name="routines")

export = _group(
    "Export a run for other programs.",
    "Begin with: smolville export html RUN town.html",
)
export.command("html")(export_html)
export.command("moments")(export_moments)
app.add_typer(export, name="export")


@cache
def command() -> TyperGroup:
    """Return the group of all commands. It is built only once, because building it takes long."""
    return get_group(app)
