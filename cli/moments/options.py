"""Options that select moments of a run."""

from typing import Annotated

import typer

OfStep = Annotated[
    str | None,
    typer.Option("--step", metavar="STEP", help="Only moments of this step: react, say, ..."),
]
OfAgent = Annotated[
    str | None,
    typer.Option(
        "--agent", metavar="AGENT", help="Only moments of this agent; the first name is enough."
    ),
]
Ended = Annotated[
    str | None,
    typer.Option(
        "--outcome",
        metavar="HOW",
        help="Only this outcome: clean, mended, repaired, escalated or fallback.",
    ),
]
Odd = Annotated[
    str | None,
    typer.Option(
        "--odd",
        metavar="KIND",
        help="Only answers with this oddity: hours, fact, repeat, ...; any: with any oddity.",
    ),
]
