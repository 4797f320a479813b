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
        help="jsonl: whole moments; sft, dpo: training rows; langsmith: a LangSmith dataset.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="The file to write; RUN-moments.jsonl, ... by default.",
    ),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="DATASET", help="The LangSmith dataset; smolville-RUN by default."
    ),
]
Mended = Annotated[bool, typer.Option("--mended", help="dpo: also use mended replies as bad ones.")]
WithOdd = Annotated[
    bool, typer.Option("--with-odd", help="sft, dpo: also use odd answers as good ones.")
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
    """Write a run's moments as a dataset.

    The dataset is for asking again, for training, or for LangSmith. Evaluate its moments with:
    smolville prompt eval --moments.
    """
    from cli.exporting.taking import ExportOptions, check, take
    from cli.screen import present
    from lab.moments.finding import moments_of
    from reports.opening import opened_run

    asked = ExportOptions(
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
