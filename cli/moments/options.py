"""Options that say which moments of a run are meant."""

from typing import Annotated

import typer

OfStep = Annotated[
    str | None, typer.Option("--step", metavar="STEP", help="Of this step only: react, say, ...")
]
OfAgent = Annotated[
    str | None,
    typer.Option("--agent", metavar="AGENT", help="Of this agent only; the first name will do."),
]
Ended = Annotated[
    str | None,
    typer.Option(
        "--outcome",
        metavar="HOW",
        help="Those that ended so: clean, mended, repaired, escalated or fallback.",
    ),
]
Odd = Annotated[
    str | None,
    typer.Option(
        "--odd",
        metavar="KIND",
        help="Those whose answer is odd in this way: hours, fact, repeat, ...; any: in some way.",
    ),
]
