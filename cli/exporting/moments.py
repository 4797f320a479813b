"""`smolville export moments`: a run's moments as a dataset."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.moments.options import Ended, Odd, OfAgent, OfStep
from cli.options import AsJson, RunName, runs_dir, settings_file

Format = Annotated[
    Literal["jsonl", "sft", "dpo", "langsmith"],
    typer.Option(
        "--format",
        help="jsonl: whole moments; sft, dpo: rows to train on; langsmith: a dataset there.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="The file: RUN-moments.jsonl, ..."),
]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="DATASET", help="LangSmith's dataset: smolville-RUN."),
]
Mended = Annotated[
    bool, typer.Option("--mended", help="dpo: take replies that code had to mend as bad ones too.")
]
WithOdd = Annotated[
    bool, typer.Option("--with-odd", help="sft, dpo: take odd answers as good ones, too.")
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace the file, or the dataset in LangSmith.")
]


def export_moments(
    context: typer.Context,
    run: RunName,
    kind: Format = "jsonl",
    output: Output = None,
    step: OfStep = None,
    agent: OfAgent = None,
    outcome: Ended = None,
    odd: Odd = None,
    name: Name = None,
    mended: Mended = False,
    with_odd: WithOdd = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write a run's moments as a dataset: to ask again, to train on, or to LangSmith.

    Each of them can be evaluated again: smolville prompt eval --moments.
    """
    from cli.exporting.taking import Asked, check, take
    from cli.screen import present
    from lab.moments.finding import moments_of
    from world.telling.opening import opened_run

    asked = Asked(
        run=run,
        kind=kind,
        output=output,
        name=name,
        mended=mended,
        with_odd=with_odd,
        overwrite=overwrite,
    )
    check(asked)
    with opened_run(runs_dir(context), run) as opened:
        found = moments_of(opened.reader, step=step, agent=agent, outcome=outcome, odd=odd)
        written = take(asked, found, settings_file(context))
    present(written, as_json=as_json)
