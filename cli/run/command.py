"""`smolville run`, as it is typed."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.options import runs_dir

Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="The run's name; a readable one is made up without it."),
]
TownDir = Annotated[
    Path | None,
    typer.Option("--town", metavar="DIR", help="A town's folder."),
]
Cast = Annotated[
    int | None,
    typer.Option(metavar="N", help="One of the town's casts, by its size."),
]
Agents = Annotated[
    str | None,
    typer.Option(metavar='"A,B"', help="Who takes part, by name."),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="ollama:<name>, llamacpp:<url>, langchain:<provider>/<model> or standin.",
    ),
]
Fast = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="For the small steps."),
]
Strong = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="For plans, talks, insights."),
]
Embedder = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="words or ollama:<name>."),
]
For = Annotated[
    str | None,
    typer.Option("--for", metavar="1d|6h|90m|300steps", help="How long."),
]
Until = Annotated[
    str | None,
    typer.Option(metavar='"2 12:00"', help="Until a day and clock."),
]
Tick = Annotated[
    int | None,
    typer.Option(metavar="SECONDS", min=1, max=86_400, help="Length of a tick."),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", help="Another seed, another day."),
]
HowScheduled = Annotated[
    Literal["serial", "lockstep"] | None,
    typer.Option("--schedule", help="Think in turn, or all at once."),
]
Repairs = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Repairs before a step falls back."),
]
Strict = Annotated[
    bool | None,
    typer.Option("--strict", help="Stop where a step would fall back."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a run.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a run of that name.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say the end only.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="A line per town hour.")]


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
            fast=fast or model or strong,
            strong=strong or model or fast,
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
