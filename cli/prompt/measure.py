"""`smolville prompt eval` and `judge`: measure templates and models, and compare two of them."""

from pathlib import Path
from typing import Annotated

import typer

from smolville.cli.options import AsJson
from smolville.cli.prompt.again import Examples, Models, Patience, Repairs, means

Steps = Annotated[
    list[str] | None,
    typer.Argument(metavar="STEP", help="These steps only; see `smolville prompt list`."),
]
Moments = Annotated[
    str,
    typer.Option(
        "--moments", metavar="RUN|FILE", help="A run's name, a moments file, or langsmith:NAME."
    ),
]
Times = Annotated[
    int, typer.Option("-n", metavar="K", min=1, max=1000, help="How many times to ask each moment.")
]
Limit = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="Maximum number of moments, spread over steps and outcomes."
    ),
]
Outcome = Annotated[
    str | None,
    typer.Option(metavar="HOW", help="Only moments with this outcome: clean, repaired, ..."),
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write a report: one HTML file.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Start over and replace the report.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an interrupted evaluation.")]
MaxObjected = Annotated[
    float | None,
    typer.Option(
        "--max-objected",
        metavar="SHARE",
        min=0,
        max=1,
        help="Maximum share of answers objected to, such as 0.2.",
    ),
]
MinClean = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Minimum share of clean first answers."),
]
MinFirst = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Minimum share of valid first answers."),
]
MinValid = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE", min=0, max=1, help="Minimum share of answers valid after repairs."
    ),
]
MaxFallback = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Maximum share of fallbacks, such as 0.02."),
]


def eval_prompts(
    context: typer.Context,
    moments: Moments,
    steps: Steps = None,
    model: Models = None,
    times: Times = 1,
    limit: Limit = None,
    outcome: Outcome = None,
    repairs: Repairs = None,
    examples: Examples = None,
    patience: Patience = None,
    out: Out = None,
    overwrite: Overwrite = False,
    resume: Resume = False,
    max_objected: MaxObjected = None,
    min_clean: MinClean = None,
    min_first: MinFirst = None,
    min_valid: MinValid = None,
    max_fallback: MaxFallback = None,
    as_json: AsJson = False,
) -> None:
    """Ask stored moments again, with other templates or models.

    Each combination of --prompts DIR and --model is a variant. It is compared with the first folder
    on the same model. `shipped` names the shipped templates, which are the default. Results are
    saved line by line, so that --resume can continue an interrupted evaluation. Exits with 1 when a
    variant misses a minimum or maximum, and with 0 when all are met.
    """
    from smolville.cli.prompt.evaluate import EvalOptions, run_evaluation

    order = EvalOptions(
        moments=moments,
        steps=tuple(dict.fromkeys(steps or ())),
        times=times,
        limit=limit,
        outcome=outcome,
        out=out,
        overwrite=overwrite,
        resume=resume,
        minimums={
            name: asked
            for name, asked in (
                ("objected", max_objected),
                ("clean", min_clean),
                ("first", min_first),
                ("valid", min_valid),
                ("fallback", max_fallback),
            )
            if asked is not None
        },
        as_json=as_json,
    )
    order.check()
    how = means(
        context,
        models=model,
        repairs=repairs,
        examples=examples,
        patience=patience,
    )
    run_evaluation(context, order, how)


First = Annotated[
    str, typer.Argument(metavar="A", help="A variant: its number in the table, or its name.")
]
Second = Annotated[str, typer.Argument(metavar="B", help="The variant to compare it with.")]
Results = Annotated[
    Path | None,
    typer.Option(
        "--results",
        metavar="FILE",
        help="Results or report of `prompt eval`; the latest by default.",
    ),
]
Source = Annotated[
    str | None,
    typer.Option(
        "--moments", metavar="RUN|FILE", help="Source of the moments, as given to `prompt eval`."
    ),
]
Name = Annotated[
    str, typer.Option("--as", metavar="NAME", help="Name of the judge, to tell judges apart.")
]
OnPage = Annotated[bool, typer.Option("--page", help="Judge in the browser, on this machine.")]
Port = Annotated[
    int,
    typer.Option(
        "--port", metavar="N", min=0, max=65535, help="Port of the page; any free one by default."
    ),
]


def judge_prompts(
    context: typer.Context,
    a: First,
    b: Second,
    results: Results = None,
    moments: Source = None,
    name: Name = "person",
    on_page: OnPage = False,
    port: Port = 0,
    model: Models = None,
    repairs: Repairs = None,
    patience: Patience = None,
    as_json: AsJson = False,
) -> None:
    """Judge blindly which of two variants' answers make more sense.

    Then reports whether B is better. You judge at the terminal, with one key per pair, or on a page
    (--page); with --model a model judges instead, asked in both orders. Every verdict is saved
    beside the results, so judging can continue where it stopped. With --json, or if there is no
    terminal, neither --page nor --model being given, it only shows the verdicts so far.
    """
    from smolville.cli.prompt.judge import JudgeOptions, run_judging

    order = JudgeOptions(
        names=(a, b),
        results=results,
        moments=moments,
        judge=name,
        page=on_page,
        port=port,
        as_json=as_json,
    )
    how = None
    if model:
        how = means(context, models=model, repairs=repairs, examples=None, patience=patience)
    run_judging(context, order, how)
