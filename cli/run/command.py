"""`smolville run`, as it is typed."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.options import prompts_flag, runs_dir, settings_file

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
        help="ollama:<name>, llamacpp:<url>, gguf:<file>, openai:<url>#<name>, "
        "langchain:<provider>/<model>, community:<Class> or standin.",
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
    typer.Option(metavar="SPEC", help="wordllama, words, ollama:<name>, ..."),
]
For = Annotated[
    str | None,
    typer.Option("--for", metavar="1d|6h|90m|300steps", help="How long."),
]
Until = Annotated[
    str | None,
    typer.Option(metavar='"2 12:00"', help="Until a day and clock."),
]
Budget = Annotated[
    str | None,
    typer.Option(metavar="30m|2h", help="Fit a new run into so much real time."),
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
StrictSense = Annotated[
    str | None,
    typer.Option(metavar="A,B|any", help="Stop at answers that are odd so: hours, fact, ..."),
]
History = Annotated[
    Literal["last", "full"] | None,
    typer.Option(help="Wrong answers a repair shows."),
]
Examples = Annotated[
    str | None,
    typer.Option(metavar="N|auto", help="Example answers with a question."),
]
ExamplesFromRun = Annotated[
    bool | None,
    typer.Option("--examples-from-run/--no-examples-from-run", help="Examples of this run too."),
]
WhatStands = Annotated[
    Literal["on", "soft", "off"] | None,
    typer.Option("--anchors", help="What stands in a day unasked: work and meals; work; neither."),
]
HowConstrained = Annotated[
    Literal["auto", "schema", "none"] | None,
    typer.Option("--constrain", help="Hold replies to JSON of the right shape."),
]
Style = Annotated[
    Literal["auto", "system", "merged"] | None,
    typer.Option("--template-style", help="Where a step's rules stand."),
]
NumCtx = Annotated[
    int | None,
    typer.Option("--num-ctx", metavar="TOKENS", min=256, help="Ollama's context."),
]
Thinking = Annotated[
    bool | None,
    typer.Option("--thinking/--no-thinking", help="Let a model that can think aloud."),
]
CacheDir = Annotated[
    Path | None,
    typer.Option("--cache", metavar="DIR", help="Keep replies; ask nothing twice."),
]
Patience = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", min=0, help="Wait so long for a lost server."),
]
Trace = Annotated[
    Literal["off", "thoughts", "hours", "failures"] | None,
    typer.Option(help="What is sent to LangSmith."),
]
TraceMask = Annotated[
    Literal["off", "personas", "texts"] | None,
    typer.Option(help="What is taken out of what is sent."),
]
Headless = Annotated[
    bool | None,
    typer.Option("--headless", help="Serve no page beside the run."),
]
Browser = Annotated[bool, typer.Option("--browser", help="Open the page in the browser.")]
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
    budget: Budget = None,
    tick: Tick = None,
    seed: Seed = None,
    schedule: HowScheduled = None,
    repairs: Repairs = None,
    strict: Strict = None,
    strict_sense: StrictSense = None,
    history: History = None,
    examples: Examples = None,
    examples_from_run: ExamplesFromRun = None,
    anchors: WhatStands = None,
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
    """Let a town live: begin a run, or go on with one.

    Without any option: one day of three agents, on the model that this machine offers. What
    smolville.toml sets, or the file of --settings FILE, need not be said here; to see it:
    smolville settings. With --prompts DIR it is asked with the templates of that folder, and what
    is edited there holds from the next tick on.

    With --budget 30m a new run is made small enough to be lived in about that much real time, by
    what smolville doctor measured on this machine: fewer hours first, then fewer people. What was
    chosen is said, and never changed while the run lives.

    While it lives it is served as a page, whose address is printed; in a terminal the page stays
    until Ctrl-C, elsewhere it ends with the run. With --quiet there is none.
    """
    from cli.run.asking import Order
    from cli.run.going import go
    from cli.settings.choosing import choose

    said = {
        "model": model,
        "fast": fast,
        "strong": strong,
        "embedder": embedder,
        "cast": cast,
        "tick": tick,
        "seed": seed,
        "schedule": schedule,
        "repairs": repairs,
        "strict": strict,
        "strict_sense": None if strict_sense is None else _listed(strict_sense),
        "history": history,
        "examples": examples,
        "examples_from_run": examples_from_run,
        "anchors": anchors,
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
    order = Order(
        name=name,
        town=town,
        agents=agents,
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
    go(runs_dir(context), order, choose(said, settings_file(context)))


def _listed(kinds: str) -> list[str]:
    """Return what is parted by commas."""
    return [part.strip() for part in kinds.split(",") if part.strip()]
