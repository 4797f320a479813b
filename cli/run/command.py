"""The command `smolville run` and its options."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from smolville.cli.options import (
    only_model,
    prompts_flag,
    runs_dir,
    settings_file,
    split_names,
)
from smolville.graphs.components import component_names

Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="The run's name; a readable one is made up by default."),
]
TownDir = Annotated[
    Path | None,
    typer.Option("--town", metavar="DIR", help="A town's folder."),
]
Cast = Annotated[
    int | None,
    typer.Option(metavar="N", help="Use the town's cast of N people."),
]
Agents = Annotated[
    str | None,
    typer.Option(metavar='"A,B"', help="Who takes part, by name."),
]
Model = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SPEC",
        help="ollama:<name>, llamacpp:<url>, gguf:<file>, openai:<url>#<name>, "
        "langchain:<provider>/<model>, community:<Class> or standin; give several servers of one "
        "model to share its calls.",
    ),
]
Fast = Annotated[
    list[str] | None,
    typer.Option(metavar="SPEC", help="The model for all steps except plans, talks and insights."),
]
Strong = Annotated[
    list[str] | None,
    typer.Option(metavar="SPEC", help="The model for plans, talks and insights."),
]
Embedder = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="The embedder: wordllama, words, ollama:<name>, ..."),
]
For = Annotated[
    str | None,
    typer.Option("--for", metavar="1d|6h|90m|300steps", help="How long to run, in town time."),
]
Until = Annotated[
    str | None,
    typer.Option(metavar='"2 12:00"', help="Run until this day and time."),
]
Budget = Annotated[
    str | None,
    typer.Option(metavar="30m|2h", help="Fit a new run into this much real time."),
]
Tick = Annotated[
    int | None,
    typer.Option(metavar="SECONDS", min=1, max=86_400, help="Length of a tick."),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", help="The random seed; another one gives another day."),
]
HowScheduled = Annotated[
    Literal["free", "lockstep", "serial"] | None,
    typer.Option(
        "--schedule",
        help="Wait only for people nearby (free), for all (lockstep), or take turns (serial).",
    ),
]
Workers = Annotated[
    str | None,
    typer.Option(metavar="ray[:ADDRESS]", help="Run thoughts on a Ray cluster's workers."),
]
Repairs = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Maximum number of repairs before a step falls back."),
]
Strict = Annotated[
    bool | None,
    typer.Option("--strict", help="Stop the run if a step would fall back."),
]
StrictSense = Annotated[
    str | None,
    typer.Option(metavar="A,B|any", help="Stop at an oddity of these kinds: hours, fact, ..."),
]
History = Annotated[
    Literal["last", "full"] | None,
    typer.Option(help="Wrong answers shown when a step is asked again: the last one, or all."),
]
Examples = Annotated[
    str | None,
    typer.Option(metavar="N|auto", help="Number of example answers to show with a question."),
]
WhatStands = Annotated[
    Literal["on", "soft", "off"] | None,
    typer.Option(
        "--anchors",
        help="Parts of a day fixed by code: on (work and meals), soft (work), off (none).",
    ),
]
Without = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help=f"Leave out components: {', '.join(component_names())}.",
    ),
]
Routines = Annotated[
    str | None,
    typer.Option(metavar="RUN", help="Begin with the routines learnt in another run."),
]
RoutineSimilarity = Annotated[
    float | None,
    typer.Option(
        metavar="0.97", help="Minimum similarity for reusing a routine; measured by default."
    ),
]
HowConstrained = Annotated[
    Literal["auto", "schema", "none"] | None,
    typer.Option("--constrain", help="Constrain replies to JSON of the right shape."),
]
Style = Annotated[
    Literal["auto", "system", "merged"] | None,
    typer.Option("--template-style", help="Where a step's rules go: system message or question."),
]
NumCtx = Annotated[
    int | None,
    typer.Option(
        "--num-ctx", metavar="TOKENS", min=256, help="The context size to request from Ollama."
    ),
]
Thinking = Annotated[
    bool | None,
    typer.Option("--thinking/--no-thinking", help="Let a model think aloud if it can."),
]
CacheDir = Annotated[
    Path | None,
    typer.Option(
        "--cache", metavar="DIR", help="Store replies in DIR, and never ask the same thing twice."
    ),
]
Patience = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", min=0, help="How long to retry an unreachable server."),
]
Trace = Annotated[
    Literal["off", "thoughts", "hours", "failures"] | None,
    typer.Option(help="What to send to LangSmith."),
]
TraceMask = Annotated[
    Literal["off", "personas", "texts"] | None,
    typer.Option(help="What to remove before sending to LangSmith."),
]
Headless = Annotated[
    bool | None,
    typer.Option("--headless", help="Serve no page beside the run."),
]
Browser = Annotated[bool, typer.Option("--browser", help="Open the page in the browser.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a run.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a run of that name.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the summary at the end.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print a line per town hour.")]


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
    budget: Budget = None,
    tick: Tick = None,
    seed: Seed = None,
    schedule: HowScheduled = None,
    workers: Workers = None,
    repairs: Repairs = None,
    strict: Strict = None,
    strict_sense: StrictSense = None,
    history: History = None,
    examples: Examples = None,
    anchors: WhatStands = None,
    without: Without = None,
    routines: Routines = None,
    routine_similarity: RoutineSimilarity = None,
    constrain: HowConstrained = None,
    template_style: Style = None,
    num_ctx: NumCtx = None,
    thinking: Thinking = None,
    cache: CacheDir = None,
    patience: Patience = None,
    trace: Trace = None,
    trace_mask: TraceMask = None,
    headless: Headless = None,
    browser: Browser = False,
    resume: Resume = False,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Let a town live: begin a run, or continue one.

    Without any option: one day of three agents, on the model that this machine offers. Settings in
    smolville.toml, or in the file of --settings FILE, need not be repeated here; smolville settings
    shows them. With --prompts DIR the models are asked with the templates of that folder, and edits
    there take effect from the next tick on.

    With --budget 30m a new run is made small enough to take about that much real time, according
    to what smolville doctor measured on this machine: fewer hours first, then fewer people. The
    choice is printed, and never changed during the run.

    During the run, a page to watch it in the browser is served, and its address is printed. In a
    terminal the page stays until Ctrl-C; elsewhere it ends with the run. With --quiet there is no
    page.
    """
    from smolville.cli.run.execute import execute_run
    from smolville.cli.run.options import RunOptions
    from smolville.cli.settings.choosing import choose

    said = {
        "model": model or None,
        "fast": only_model("--fast", fast),
        "strong": only_model("--strong", strong),
        "embedder": embedder,
        "cast": cast,
        "tick": tick,
        "seed": seed,
        "schedule": schedule,
        "workers": workers,
        "repairs": repairs,
        "strict": strict,
        "strict_sense": None if strict_sense is None else split_names(strict_sense),
        "history": history,
        "examples": examples,
        "anchors": anchors,
        "without": None if without is None else split_names(without),
        "routine_similarity": routine_similarity,
        "constrain": constrain,
        "template_style": template_style,
        "num_ctx": num_ctx,
        "thinking": thinking,
        "cache": cache,
        "patience": patience,
        "trace": trace,
        "trace_mask": trace_mask,
        "headless": headless,
        "prompts": prompts_flag(context),
    }
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
        said=said,
    )
    order.check()
    execute_run(runs_dir(context), order, choose(said, settings_file(context)))
