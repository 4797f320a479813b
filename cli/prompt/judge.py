"""The command `smolville prompt judge` and its options."""

from pathlib import Path
from typing import Annotated

import typer

from cli.options import AsJson
from cli.prompt.chats import Models, Patience, Repairs

First = Annotated[
    str, typer.Argument(metavar="A", help="A variant: its number in the table, or its name.")
]
Second = Annotated[str, typer.Argument(metavar="B", help="The other variant, which may be better.")]
Results = Annotated[
    Path | None,
    typer.Option(
        "--results",
        metavar="FILE",
        help="Results or report of `prompt eval`; the latest by default.",
    ),
]
Moments = Annotated[
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
    moments: Moments = None,
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
    beside the results, so judging can continue where it stopped. Where nobody can answer, the
    verdicts so far are shown.
    """
    from cli.prompt.chats import means
    from cli.prompt.judging import JudgeOptions, told

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
    told(context, order, how)
