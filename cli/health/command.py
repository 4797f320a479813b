"""The command `smolville health`: the honesty ledger of a run."""

from enum import StrEnum
from typing import Annotated

import typer

from cli.options import AsJson, RunName, runs_dir


class Grouping(StrEnum):
    """What each line of the ledger stands for."""

    STEP = "step"
    AGENT = "agent"
    MODEL = "model"
    REASON = "reason"


By = Annotated[
    Grouping,
    typer.Option("--by", help="What each line stands for; reason: what went wrong."),
]


def health(
    context: typer.Context, run: RunName, by: By = Grouping.STEP, as_json: AsJson = False
) -> None:
    """Show how well the models answered, and what it took.

    With --by reason: what went wrong, how often, and where to look.
    """
    from cli.health.ledger import LedgerView
    from cli.health.reasons import ReasonsView
    from cli.screen import View, console, write_json
    from reports.analysis import analyse
    from reports.health import health as health_of
    from reports.opening import opened_run

    with opened_run(runs_dir(context), run) as opened, opened.reader.snapshot():
        found = health_of(opened.reader)
        view: View = LedgerView(found, by.value)
        if by is Grouping.REASON:
            reasons, spec = analyse(opened.reader), opened.folder.spec
            view = ReasonsView(found, reasons, runs_dir(context), spec.name, spec.tick_seconds)
    if as_json:
        write_json(view.plain())
    else:
        # Better wrapped by the terminal than cropped: half a number is a wrong number.
        console().print(view.render(), crop=False)
