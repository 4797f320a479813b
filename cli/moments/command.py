"""`smolville moments`: find the moments of a run."""

from typing import Annotated

import typer

from cli.moments.options import Ended, Odd, OfAgent, OfStep
from cli.options import AsJson, RunName, runs_dir

Limit = Annotated[
    int | None,
    typer.Option(
        "--limit", "-n", metavar="N", min=1, help="Show the last N; 40 by default, all with --json."
    ),
]


def moments(
    context: typer.Context,
    run: RunName,
    step: OfStep = None,
    agent: OfAgent = None,
    outcome: Ended = None,
    odd: Odd = None,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """List the moments of a run: every use of a step.

    A moment holds all that is needed to ask the same thing again; other commands take its id.
    """
    from cli.moments.listed import MomentsView
    from cli.screen import present
    from lab.moments.filter import wanted_of
    from reports.opening import opened_run

    with opened_run(runs_dir(context), run) as opened:
        wanted = wanted_of(opened.reader, step=step, agent=agent, outcome=outcome, odd=odd)
        uses = wanted.uses(opened.reader)
        view = MomentsView(run, opened.folder.spec.tick_seconds, uses, limit)
        present(view, as_json=as_json)
