"""Happenings caused by the world and the plot, and how the steps behind them ended."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.entities import Happening
from smolville.agents.times import moment
from smolville.agents.wording import format_count
from smolville.graphs.entities import HOURS
from smolville.history.later_tables import happenings_between
from smolville.reports.runs import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.graphs.loop.ledger import StepRecord


@dataclass(frozen=True)
class EntitiesView:
    """All happenings caused by entities, oldest first."""

    run: OpenRun
    made: list[Happening]
    steps: dict[tuple[str, int], "StepRecord"]
    """How the steps behind the happenings ended, by entity and tick."""

    def plain(self) -> object:
        """Return a list with an object per happening."""
        return [
            {
                "entity": each.entity,
                "time": moment(self._at(each)),
                "kind": each.kind,
                "place": each.place,
                "for": each.who,
                "until": moment(each.until),
                "text": each.text,
                "outcome": self._outcome(each),
            }
            for each in self.made
        ]

    def render(self) -> "RenderableType":
        """Return a line per happening: time, entity, kind, outcome and text."""
        from rich.console import Group
        from rich.table import Table

        from smolville.lab.styled import Text

        lines = Table.grid(padding=(0, 2))
        for style in ("dim", "cyan", ""):
            lines.add_column(style=style, no_wrap=True)
        lines.add_column()
        for each in self.made:
            told = f"{each.text} ({self._outcome(each)})"
            lines.add_row(
                Text(moment(self._at(each))), Text(each.entity), Text(each.kind), Text(told)
            )
        count = format_count(len(self.made), "happening")
        return Group(Text.assemble((self.run.folder.name, "bold"), f" · {count}"), Text(), lines)

    def _at(self, each: Happening) -> int:
        """Return the town second from which people perceive a happening."""
        return each.tick * self.run.folder.spec.tick_seconds

    def _outcome(self, each: Happening) -> str:
        """Return the outcome of the step behind a happening; `by rule` if there is no step."""
        step = self.steps.get((each.entity, each.tick))
        return "by rule" if step is None else step.outcome


def entities_view(run: OpenRun) -> EntitiesView:
    """Return the happenings caused by entities up to the moment shown."""
    with run.reader.snapshot():
        made = happenings_between(run.reader.connection, until=run.tick)
    steps = {
        (step.owner, step.tick): step
        for name in HOURS
        for step in run.reader.steps(name, until=run.tick)
    }
    return EntitiesView(run, made, steps)
