"""`smolville moments`: find the moments of a run, with their questions and outcomes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.times import moment as town_time
from smolville.agents.wording import format_count, visible_line
from smolville.cli.options import AsJson, RunName, runs_dir
from smolville.cli.screen import say, show_view

if TYPE_CHECKING:
    from smolville.cli.tables import Page
    from smolville.history.records import StepUse

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
        help="Only answers with an oddity of this kind: hours, fact, repeat, ..., or any.",
    ),
]


Limit = Annotated[
    int | None,
    typer.Option(
        "--limit", "-n", metavar="N", min=1, help="Show the last N; 40 by default, all with --json."
    ),
]


Ids = Annotated[
    list[str] | None,
    typer.Argument(metavar="ID...", help="Only these moments; the first digits are enough."),
]
Add = Annotated[
    Path | None,
    typer.Option(
        "--add",
        metavar="FILE|DIR",
        help="Add them to this moments file, or to DIR/cases.jsonl beside templates.",
    ),
]


def moments(
    context: typer.Context,
    run: RunName,
    ids: Ids = None,
    step: OfStep = None,
    agent: OfAgent = None,
    outcome: Ended = None,
    odd: Odd = None,
    limit: Limit = None,
    add: Add = None,
    as_json: AsJson = False,
) -> None:
    """List the moments of a run: every use of a step.

    A moment holds all that is needed to ask the same thing again; other commands take its id.
    --add keeps those listed in a file of cases, for `smolville prompt eval --moments`.
    """
    from smolville.lab.moments.files import add_moments
    from smolville.lab.moments.finding import choose_uses, moments_at, uses_in
    from smolville.reports.runs import opened_run

    with opened_run(runs_dir(context), run) as opened:
        uses = uses_in(opened.reader, step=step, agent=agent, outcome=outcome, odd=odd)
        uses = choose_uses(uses, ids or ())
        page = moments_page(run, opened.folder.spec.tick_seconds, uses, limit)
        show_view(page, as_json=as_json)
        if add is not None:
            keys = [use.key for use in uses[-(limit or len(uses)) :]]
            new, total, path = add_moments(add, moments_at(opened.reader, keys))
            added = f"{format_count(new, 'moment')} added to {path}, which has {total:,} now."
            say(added, on_stderr=as_json)


SHOWN = 40
"""Number of moments listed on screen by default: the last ones. The JSON output has all."""
HEADINGS = ("id", "time", "agent", "step", "outcome", "calls")
NAME = 18
"""Maximum length of an agent's name, in characters; longer names are shortened."""


def moments_page(
    run: str, tick_seconds: int, uses: "Sequence[StepUse]", limit: int | None
) -> "Page":
    """Return a line per moment; problems of its first reply are in further lines below it.

    `limit` is the number of moments listed, the last ones; None means `SHOWN` on screen and all in
    JSON.
    """
    from rich.cells import cell_len, set_cell_size

    from smolville.cli.show.thoughts import STYLES
    from smolville.cli.tables import Page, to_the_minute
    from smolville.graphs.loop.ledger import OUTCOMES
    from smolville.lab.moments.moment import moment_digits
    from smolville.lab.styled import Text

    data = [
        {
            "id": f"{run}/{moment_digits(*use.key)}",
            "time": town_time(use.key.tick * tick_seconds),
            **use.key._asdict(),
            **asdict(use),
        }
        for use in uses[-(limit or len(uses)) :]
    ]
    if not uses:
        return Page(data, [Text(f"No moments like this in {run}.")])
    listed = uses[-(limit or SHOWN) :]
    rows: list[tuple[str, ...]] = [HEADINGS]
    for use in listed:
        time = to_the_minute(use.key.tick * tick_seconds)
        end = f"{use.outcome}, odd" if use.odd_kinds else use.outcome
        cells = (moment_digits(*use.key), time, use.agent, use.key.step, end, str(use.attempts))
        rows.append(tuple(map(visible_line, cells)))
    widths = [max(map(cell_len, cells)) for cells in zip(*rows, strict=True)]
    widths[HEADINGS.index("agent")] = min(widths[HEADINGS.index("agent")], NAME)

    def line(text: str, style: str) -> Text:
        return Text(text.rstrip(), style, no_wrap=True, overflow="ellipsis")

    ended = Counter(use.outcome for use in uses)
    odd = sum(bool(use.odd_kinds) for use in uses)
    counts = [f"{ended[outcome]:,} {outcome}" for outcome in OUTCOMES if ended[outcome]]
    told = f"{format_count(len(uses), 'moment')}: {', '.join(counts)}"
    told += f"; {odd:,} objected to." if odd else "."
    told += f" The last {len(listed)}:" if len(listed) < len(uses) else ""
    head, *lines = ("  ".join(map(set_cell_size, row, widths)) for row in rows)
    parts = [Text(told, style="dim"), Text(), line(head, "bold")]
    for use, text in zip(listed, lines, strict=True):
        parts.append(line(text, STYLES["odd" if use.odd_kinds else use.outcome]))
        why = (
            f"Odd: {' '.join(use.odd)}" if use.odd else "",
            " ".join(use.problems) or "; ".join(use.mends),
        )
        parts += [line(f"{'':10}{visible_line(each)}", "dim") for each in why if each]
    return Page(data, parts)
