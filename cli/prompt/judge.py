"""`smolville prompt judge`, as it is typed."""

from pathlib import Path
from typing import Annotated

import typer

from cli.options import AsJson
from cli.prompt.chats import Models, Patience, Repairs

First = Annotated[
    str, typer.Argument(metavar="A", help="A variant: its number in the table, or its name.")
]
Second = Annotated[str, typer.Argument(metavar="B", help="The one that may be better.")]
Results = Annotated[
    Path | None,
    typer.Option(
        "--results", metavar="FILE", help="Results of `prompt eval`, or the report: the last one."
    ),
]
Moments = Annotated[
    str | None,
    typer.Option(
        "--moments", metavar="RUN|FILE", help="Where the moments are: as `prompt eval` was told."
    ),
]
Name = Annotated[
    str, typer.Option("--as", metavar="NAME", help="Who judges, for the file and for agreement.")
]
OnPage = Annotated[bool, typer.Option("--page", help="Judge in the browser, on this machine.")]
Port = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="Of the page; any free one.")
]


def judge_prompts(
    context: typer.Context,
    a: First,
    b: Second,
    results: Results = None,
    moments: Moments = None,
    name: Name = "person",
    on_page: OnPage = False,
    port: Port = 0,
    model: Models = None,
    repairs: Repairs = None,
    patience: Patience = None,
    as_json: AsJson = False,
) -> None:
    """Say which of two variants' answers make more sense, blind, and tell whether B is better.

    At the terminal one key an answer, or on a page (--page); --model lets a model judge instead,
    asked in both orders. Every verdict is kept beside the results, so that judging goes on where
    it was left. Where nobody can answer, what was judged is told.
    """
    from cli.prompt.chats import means
    from cli.prompt.judging import Order, told

    order = Order(
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
    told(context, order, how)
