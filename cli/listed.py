"""The runs of a folder as a table."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.numbers import percent
from cli.counted import ROOMY, short_model
from cli.screen import console
from reports.listing import RunRow, read_rows

if TYPE_CHECKING:
    from rich.console import RenderableType

LONG = 20
"""Number of characters beyond which a name may be wrapped."""
STATE_STYLES = {"running": "green", "finished": "dim", "damaged": "red"}


@dataclass(frozen=True, kw_only=True)
class Listing:
    """All runs of a folder."""

    rows: list[RunRow]

    def plain(self) -> object:
        """Return a list with an object per run."""
        return [asdict(row) for row in self.rows]

    def render(self) -> "RenderableType":
        """Return the table."""
        from rich.box import SIMPLE_HEAD
        from rich.console import Group
        from rich.table import Table

        from lab.styled import Text

        is_narrow = console().width < ROOMY
        has_towns = len({row.town for row in self.rows if row.town}) > 1
        lengths = [len(row.name) for row in self.rows]
        whole = min(LONG, max([*lengths, len("run")]))
        table = Table(
            box=SIMPLE_HEAD,
            pad_edge=False,
            header_style="bold",
            padding=(0, 1, 0, 0) if is_narrow else (0, 1),
        )
        # Models and long names are wrapped where there is no room; moments and numbers never are.
        table.add_column("run", style="bold", overflow="fold", width=whole if is_narrow else None)
        if has_towns:
            table.add_column("town")
        table.add_column("cast", justify="right", no_wrap=True)
        table.add_column("reached", justify="right", no_wrap=True)
        table.add_column("goal", justify="right", style="dim", no_wrap=True)
        table.add_column("model", overflow="fold", min_width=6)
        table.add_column("sense" if is_narrow else "sensible", justify="right", no_wrap=True)
        table.add_column("fall" if is_narrow else "fallback", justify="right", no_wrap=True)
        table.add_column("state", no_wrap=True)
        for row in self.rows:
            town = (row.town,) if has_towns else ()
            table.add_row(
                *(row.name, *town, str(row.cast or ""), row.reached, row.goal),
                short_model(row.model),
                "" if row.sensible is None else percent(row.sensible, 1, 0, gap=""),
                Text(str(row.fallbacks), style="yellow" if row.fallbacks else "dim"),
                Text(row.state, style=STATE_STYLES.get(row.state, "")),
            )
        problems = [Text(row.problem, style="red") for row in self.rows if row.problem]
        return Group(table, *problems)


def read_listing(runs: Path) -> Listing:
    """Return every run of a folder; the row of an unreadable run says why."""
    return Listing(rows=read_rows(runs))
