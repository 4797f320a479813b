"""The command `smolville run`: its own options, and those that follow from the settings.

The settings are loaded only when the command itself is asked for, not for the list of commands.
"""

import inspect
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from smolville.cli.options import only_value, prompts_flag, runs_dir, settings_file, settings_of

WHO, MACHINE, RUN = "Who lives there, and how long", "This machine", "This run"

Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="The run's name; made up by default.", rich_help_panel=WHO),
]
TownDir = Annotated[
    Path | None,
    typer.Option("--town", metavar="DIR", help="A town's folder.", rich_help_panel=WHO),
]
Agents = Annotated[
    str | None,
    typer.Option(metavar='"A,B"', help="Who takes part, by name.", rich_help_panel=WHO),
]
Routines = Annotated[
    str | None,
    typer.Option(
        metavar="RUN", help="Begin with the routines learnt in another run.", rich_help_panel=WHO
    ),
]
For = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="1d|6h|90m|300steps",
        help="How long to run, in town time; one day by default.",
        rich_help_panel=WHO,
    ),
]
Until = Annotated[
    str | None,
    typer.Option(metavar='"2 12:00"', help="Run until this day and time.", rich_help_panel=WHO),
]
Browser = Annotated[
    bool,
    typer.Option("--browser", help="Open the page in the browser.", rich_help_panel=MACHINE),
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a run.", rich_help_panel=RUN)]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace a run of that name.", rich_help_panel=RUN)
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", help="Print only the summary, serve no page.", rich_help_panel=RUN
    ),
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print a line per town hour.", rich_help_panel=RUN)
]


def run(
    context: typer.Context,
    name: Name = None,
    town: TownDir = None,
    agents: Agents = None,
    routines: Routines = None,
    duration: For = None,
    until: Until = None,
    browser: Browser = False,
    resume: Resume = False,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Let a town live: begin a run, or continue one.

    Without any option: one day of three agents, on the model that this machine offers, with a page
    to watch it. `smolville settings` lists what else can be set, in smolville.toml or by --set.
    """
    from smolville.cli.run.execute import execute_run
    from smolville.cli.run.settings import RunOptions

    chosen = settings_of(context, {**context.meta[SAID], "prompts": prompts_flag(context)})
    order = RunOptions(
        name=name,
        town=town,
        agents=agents,
        routines=routines,
        duration=duration,
        until=until,
        resume=resume,
        overwrite=overwrite,
        quiet=quiet,
        verbose=verbose,
        browser=browser,
        settings=settings_file(context),
    )
    order.check(chosen.said)
    execute_run(runs_dir(context), order, chosen)


SAID = "smolville.settings"
"""Key of the given flags in a command's `meta`."""


class SettingsCommand(TyperCommand):
    """A command with a flag for each setting that has one, and with help in sections."""

    def get_params(self, ctx: Any) -> Any:
        """Return the command's own parameters, and those of the settings before `--help`."""
        *own, last = super().get_params(ctx)
        return [*own, *_flags(), last]

    def invoke(self, ctx: Any) -> Any:
        """Invoke the command; the flags of settings are in `context.meta[SAID]`."""
        ctx.meta[SAID] = {}
        for option in _flags():
            value = ctx.params.pop(option.name)
            if option.multiple and option.name != "model":
                value = only_value(option.opts[0], value, "--model of a run takes several servers")
            if value not in (None, (), []):
                ctx.meta[SAID][option.name] = value
        return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the parameters, grouped by section."""
        from smolville.cli.settings.values import SECTIONS

        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in SECTIONS.values()}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                title = getattr(param, "rich_help_panel", None) or "This run"
                sections.setdefault(title, []).append(record)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


@cache
def _flags() -> list[Any]:
    from smolville.cli.settings.values import SECTIONS, SETTINGS, TRUTH

    parameters, section = [], ""
    for name, told in SETTINGS.items():
        section = SECTIONS.get(name, section)
        if not told.flag:
            continue
        option = typer.Option(
            f"--{name.replace('_', '-')}",
            metavar=None if told.flag == TRUTH else told.flag,
            help=told.about,
            rich_help_panel=section,
        )
        kind: Any = bool if told.flag == TRUTH else list[str] if told.flag == "SPEC" else str
        annotation = Annotated[kind | None, option]
        parameters.append(
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
            )
        )

    def flags(**given: Any) -> None:
        """Stand for a command with these options."""

    flags.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    flags.__annotations__ = {each.name: each.annotation for each in parameters}
    app = typer.Typer(add_completion=False)
    app.command()(flags)
    return list(typer.main.get_command(app).params)
