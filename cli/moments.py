"""`smolville moments`: find the moments of a run, with their questions and outcomes."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.times import moment as town_time
from smolville.agents.wording import format_count, visible_line
from smolville.cli.options import AsJson, RunName, runs_dir
from smolville.cli.screen import show_view

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.history.thoughts import StepUse

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
    from smolville.lab.moments.finding import uses_in
    from smolville.reports.runs import opened_run

    with opened_run(runs_dir(context), run) as opened:
        uses = uses_in(opened.reader, step=step, agent=agent, outcome=outcome, odd=odd)
        view = MomentsView(run, opened.folder.spec.tick_seconds, uses, limit)
        show_view(view, as_json=as_json)


SHOWN = 40
"""Number of moments listed on screen by default: the last ones. The JSON output has all."""
HEADINGS = ("id", "time", "agent", "step", "outcome", "calls")
NAME = 18
"""Maximum length of an agent's name, in characters; longer names are shortened."""


@dataclass(frozen=True)
class MomentsView:
    """The moments of a run that were asked for."""

    run: str
    tick_seconds: int
    uses: "list[StepUse]"
    """All matching moments, oldest first."""
    limit: int | None
    """Maximum number of moments listed: the last ones. None means `SHOWN` on screen and all in
    JSON."""

    def plain(self) -> object:
        """Return a list with an object per moment."""
        from smolville.lab.moments.moment import moment_digits

        listed = self.uses if self.limit is None else self.uses[-self.limit :]
        return [
            {
                "id": f"{self.run}/{moment_digits(*use.key)}",
                "time": town_time(use.key.tick * self.tick_seconds),
                **use.key._asdict(),
                **asdict(use),
            }
            for use in listed
        ]

    def render(self) -> "RenderableType":
        """Return a line per moment; problems of its first reply are in further lines below it."""
        from rich.cells import cell_len, set_cell_size
        from rich.console import Group

        from smolville.cli.show.thoughts import STYLES
        from smolville.lab.styled import Text

        if not self.uses:
            return Text(f"No moments like this in {self.run}.")
        listed = self.uses[-(self.limit or SHOWN) :]
        rows = [HEADINGS, *map(self._cells, listed)]
        widths = [max(map(cell_len, cells)) for cells in zip(*rows, strict=True)]
        widths[HEADINGS.index("agent")] = min(widths[HEADINGS.index("agent")], NAME)

        def line(text: str, style: str) -> Text:
            return Text(text.rstrip(), style, no_wrap=True, overflow="ellipsis")

        head, *lines = ("  ".join(map(set_cell_size, row, widths)) for row in rows)
        parts = [Text(self._head(len(listed)), style="dim"), Text(), line(head, "bold")]
        for use, text in zip(listed, lines, strict=True):
            parts.append(line(text, STYLES["odd" if use.odd_kinds else use.outcome]))
            odd = f"Odd: {' '.join(use.odd)}" if use.odd else ""
            wrong = " ".join(use.problems) or "; ".join(use.mends)
            parts += [line(f"{'':10}{visible_line(why)}", "dim") for why in (odd, wrong) if why]
        return Group(*parts)

    def _cells(self, use: "StepUse") -> tuple[str, ...]:
        from smolville.cli.tables import to_the_minute
        from smolville.lab.moments.moment import moment_digits

        time = to_the_minute(use.key.tick * self.tick_seconds)
        end = f"{use.outcome}, odd" if use.odd_kinds else use.outcome
        cells = (moment_digits(*use.key), time, use.agent, use.key.step, end, str(use.attempts))
        return tuple(map(visible_line, cells))

    def _head(self, listed: int) -> str:
        """Return a line: how many moments there are, how they ended, and how many are odd."""
        from smolville.graphs.loop.ledger import OUTCOMES

        ended = Counter(use.outcome for use in self.uses)
        odd = sum(bool(use.odd_kinds) for use in self.uses)
        counts = [f"{ended[outcome]:,} {outcome}" for outcome in OUTCOMES if ended[outcome]]
        last = f" The last {listed}:" if listed < len(self.uses) else ""
        objected = f"; {odd:,} objected to" if odd else ""
        return f"{format_count(len(self.uses), 'moment')}: {', '.join(counts)}{objected}.{last}"
