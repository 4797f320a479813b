"""All commands of `smolville`, in the order in which they are listed.

Help is plain text, because typer's rich help takes as long to load as everything else together.
"""

from functools import cache
from typing import Annotated

import typer
from typer.core import TyperGroup
from typer.main import get_group

from smolville.cli.ablate import ablate
from smolville.cli.compare import compare
from smolville.cli.doctor import doctor
from smolville.cli.export import export
from smolville.cli.guard import CommandGroup
from smolville.cli.interview import interview
from smolville.cli.moments import moments
from smolville.cli.new import new_persona, new_town
from smolville.cli.options import Prompts, RunsDir, Set, SettingsFile, SharedOptions, prompts_flag
from smolville.cli.prompt.again import try_prompt
from smolville.cli.prompt.catalogue import eject_prompts, lint_prompts, show_prompt
from smolville.cli.prompt.evaluate import eval_prompts
from smolville.cli.prompt.history import diff_prompts, show_history
from smolville.cli.prompt.judge import judge_prompts
from smolville.cli.prompt.render import render_prompt
from smolville.cli.recall import recall, reembed
from smolville.cli.report import health, timeline
from smolville.cli.run.command import SettingsCommand, run
from smolville.cli.runs import fork, runs
from smolville.cli.screen import write
from smolville.cli.settings.command import settings as show_settings
from smolville.cli.show.command import show
from smolville.cli.stepping_in import set_state, tell, visit
from smolville.cli.town import town
from smolville.cli.trace import trace
from smolville.cli.view import view

LIVE, LOOK, TAKE_PART = "Let a town live", "Look at a run", "Take part"
MEASURE, MAKE = "Measure and compare", "Make your own"

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
    if is_asked_for:
        from importlib.metadata import version

        write(f"smolville {version('smolville')}")
        raise typer.Exit


def _group(help_text: str, epilog: str) -> typer.Typer:
    """Return an empty command group; called without a command, it prints its help."""
    return typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"max_content_width": 100},
        help=help_text,
        epilog=epilog,
    )


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


app.command(cls=SettingsCommand, rich_help_panel=LIVE)(run)
app.command(rich_help_panel=LIVE)(view)
app.command(rich_help_panel=LIVE)(runs)
app.command(rich_help_panel=LIVE)(fork)
app.command("settings", rich_help_panel=LIVE)(show_settings)
app.command(rich_help_panel=LIVE)(doctor)
app.command(rich_help_panel=LOOK)(show)
app.command(rich_help_panel=LOOK)(timeline)
app.command(rich_help_panel=LOOK)(recall)
app.command(rich_help_panel=LOOK)(trace)
app.command(rich_help_panel=LOOK)(moments)
app.command(rich_help_panel=LOOK)(export)
app.command(rich_help_panel=TAKE_PART)(tell)
app.command("set", rich_help_panel=TAKE_PART)(set_state)
app.command(rich_help_panel=TAKE_PART)(visit)
app.command(rich_help_panel=TAKE_PART)(interview)
app.command(rich_help_panel=MEASURE)(health)
app.command(rich_help_panel=MEASURE)(compare)
app.command(rich_help_panel=MEASURE)(ablate)
app.command(rich_help_panel=MEASURE)(reembed)
app.command(rich_help_panel=MAKE)(town)

prompt = _group(
    "Look at templates, change them, try and measure them.",
    "Begin with: smolville prompt show",
)
prompt.command("show")(show_prompt)
prompt.command("render")(render_prompt)
prompt.command("lint")(lint_prompts)
prompt.command("eject")(eject_prompts)
prompt.command("diff")(diff_prompts)
prompt.command("try")(try_prompt)
prompt.command("eval")(eval_prompts)
prompt.command("judge")(judge_prompts)
prompt.command("history")(show_history)
app.add_typer(prompt, name="prompt", rich_help_panel=MAKE)

new = _group(
    "Copy the town to change it, and add people to it.",
    "Begin with: smolville new town mine",
)
new.command("town")(new_town)
new.command("persona")(new_persona)
app.add_typer(new, name="new", rich_help_panel=MAKE)


@cache
def command() -> TyperGroup:
    """Return the group of all commands. It is built only once, because building it takes long."""
    return get_group(app)
