"""The command `smolville run`: its own options; those of settings follow from the settings."""

from pathlib import Path
from typing import Annotated

import typer

from smolville.cli.options import prompts_flag, runs_dir, settings_file, settings_of

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
Budget = Annotated[
    str | None,
    typer.Option(
        metavar="30m|2h",
        help="Fit a new run into this real time: fewer hours, then fewer people.",
        rich_help_panel=WHO,
    ),
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
    budget: Budget = None,
    browser: Browser = False,
    resume: Resume = False,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Let a town live: begin a run, or continue one.

    Without any option: one day of three agents, on the model that this machine offers. A page to
    watch it is served meanwhile; in a terminal it stays until Ctrl-C. Settings that rarely change
    belong in smolville.toml, or are set for one run by --set NAME=VALUE; `smolville settings` lists
    them.
    """
    from smolville.cli.run.execute import execute_run
    from smolville.cli.run.options import RunOptions
    from smolville.cli.settings.flags import SAID

    chosen = settings_of(context, {**context.meta[SAID], "prompts": prompts_flag(context)})
    order = RunOptions(
        name=name,
        town=town,
        agents=agents,
        routines=routines,
        duration=duration,
        until=until,
        budget=budget,
        resume=resume,
        overwrite=overwrite,
        quiet=quiet,
        verbose=verbose,
        browser=browser,
        settings=settings_file(context),
    )
    order.check(chosen.said)
    execute_run(runs_dir(context), order, chosen)
