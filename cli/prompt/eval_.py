"""The command `smolville prompt eval` and its options."""

from pathlib import Path
from typing import Annotated

import typer

from cli.options import AsJson
from cli.prompt.chats import Examples, Models, Patience, Repairs

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
MinSensible = Annotated[
    float | None,
    typer.Option(
        "--fail-under",
        "--min-sensible",
        metavar="SHARE",
        min=0,
        max=1,
        help="Minimum share of sensible answers, such as 0.8.",
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
    min_sensible: MinSensible = None,
    min_clean: MinClean = None,
    min_first: MinFirst = None,
    min_valid: MinValid = None,
    max_fallback: MaxFallback = None,
    as_json: AsJson = False,
) -> None:
    """Ask stored moments again, with other templates or models.

    Each --prompts DIR with each --model is a variant, compared with the first folder on the same
    model; `shipped` names the shipped templates, which are the default. Results are saved line by
    line, so that --resume can continue an interrupted evaluation. Exits with 1 when a variant
    misses a minimum or maximum, and with 0 when all are met.
    """
    from cli.prompt.chats import means
    from cli.prompt.evaluating import EvalOptions, evaluated

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
                ("sensible", min_sensible),
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
    how = means(context, models=model, repairs=repairs, examples=examples, patience=patience)
    evaluated(context, order, how)
