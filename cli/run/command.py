"""`smolville run`, as it is typed."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.options import runs_dir

CAST, MODELS, HOW, SCREEN = "Who and where", "Models", "How it lives", "On the screen"

Name = Annotated[
    str | None,
    typer.Argument(metavar="[NAME]", help="The run's name; a readable one is made up without it."),
]
TownDir = Annotated[
    Path | None,
    typer.Option("--town", metavar="DIR", help="A town's folder.", rich_help_panel=CAST),
]
Cast = Annotated[
    int | None,
    typer.Option(metavar="N", help="One of the town's casts, by its size.", rich_help_panel=CAST),
]
Agents = Annotated[
    str | None,
    typer.Option(metavar='"A,B"', help="Who takes part, by name.", rich_help_panel=CAST),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="ollama:<name>, llamacpp:<url>, langchain:<provider>/<model> or standin.",
        rich_help_panel=MODELS,
    ),
]
Fast = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="For the small steps.", rich_help_panel=MODELS),
]
Strong = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="For plans, talks, insights.", rich_help_panel=MODELS),
]
Embedder = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="words or ollama:<name>.", rich_help_panel=MODELS),
]
For = Annotated[
    str | None,
    typer.Option("--for", metavar="1d|6h|90m|300steps", help="How long.", rich_help_panel=HOW),
]
Until = Annotated[
    str | None,
    typer.Option(metavar='"2 12:00"', help="Until a day and clock.", rich_help_panel=HOW),
]
Tick = Annotated[
    int | None,
    typer.Option(metavar="SECONDS", min=1, help="Length of a tick.", rich_help_panel=HOW),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", help="Another seed, another day.", rich_help_panel=HOW),
]
HowScheduled = Annotated[
    Literal["serial", "lockstep"] | None,
    typer.Option("--schedule", help="Think in turn, or all at once.", rich_help_panel=HOW),
]
Repairs = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Repairs before a step falls back.", rich_help_panel=HOW),
]
Strict = Annotated[
    bool | None,
    typer.Option("--strict", help="Stop where a step would fall back.", rich_help_panel=HOW),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a run.", rich_help_panel=HOW)]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace a run of that name.", rich_help_panel=HOW)
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Say the end only.", rich_help_panel=SCREEN)
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="A line per town hour.", rich_help_panel=SCREEN)
]


def run(
    context: typer.Context,
    name: Name = None,
    town: TownDir = None,
    cast: Cast = None,
    agents: Agents = None,
    model: Model = None,
    fast: Fast = None,
    strong: Strong = None,
    embedder: Embedder = None,
    duration: For = None,
    until: Until = None,
    tick: Tick = None,
    seed: Seed = None,
    schedule: HowScheduled = None,
    repairs: Repairs = None,
    strict: Strict = None,
    resume: Resume = False,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Let a town live: begin a run, or go on with one.

    Without any option: one day of three agents, on the model that this machine offers.
    """
    from cli.run.asking import Order
    from cli.run.going import go

    go(
        runs_dir(context),
        Order(
            name=name,
            town=town,
            cast=cast,
            agents=agents,
            fast=fast or model,
            strong=strong or model,
            embedder=embedder,
            duration=duration,
            until=until,
            tick=tick,
            seed=seed,
            schedule=schedule,
            repairs=repairs,
            strict=strict,
            resume=resume,
            overwrite=overwrite,
            quiet=quiet,
            verbose=verbose,
        ),
    )
