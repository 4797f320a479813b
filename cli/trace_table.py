"""The thoughts and talks of a run as a table, each with its id."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.wording import format_count
from smolville.cli.options import command
from smolville.cli.screen import console
from smolville.cli.tables import ROOMY, to_the_minute
from smolville.cli.trace_tree import STYLES
from smolville.history.folder import RunFolder
from smolville.lab.tracing.listing import TraceRow

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

LONGEST = len("reflect_questions,")
"""Width of the column of steps on a narrow screen, so that no step's name is broken."""


@dataclass(frozen=True)
class ListedView:
    """Thoughts and talks in order of time."""

    run: RunFolder
    rows: Sequence[TraceRow]
    silent: int
    """Number of further thoughts that asked no model, and are left out."""

    def plain(self) -> object:
        """Return a list with an object per thought or talk."""
        return [_plain(row) for row in self.rows]

    def render(self) -> "RenderableType":
        """Return the table."""
        from rich.console import Group

        from smolville.lab.styled import Text

        talks = sum(row.kind == "talk" for row in self.rows)
        head = (
            f" · {format_count(len(self.rows) - talks, 'thought')}, {format_count(talks, 'talk')}"
        )
        parts: list[RenderableType] = [Text.assemble((self.run.name, "bold"), head)]
        if self.rows:
            look = command(self.run.path.parent, "trace", self.run.name, self.rows[-1].digits)
            parts += [self._table(), Text(f"One as a tree: {look}", "dim")]
        if self.silent:
            more = f"{format_count(self.silent, 'thought')} asked nothing; --all lists them, too."
            parts.append(Text(more, "dim"))
        return Group(*parts)

    def _table(self) -> "Table":
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        from smolville.lab.styled import Text

        is_narrow = console().width < ROOMY
        table = Table(
            box=SIMPLE_HEAD,
            pad_edge=False,
            header_style="bold",
            padding=(0, 1, 0, 0) if is_narrow else (0, 1),
        )
        table.add_column("time", style="cyan", no_wrap=True, justify="right")
        table.add_column("who", overflow="fold", min_width=8)
        table.add_column("did", overflow="fold", width=LONGEST if is_narrow else None)
        table.add_column("outcome", no_wrap=True)
        for heading in ("calls", "tokens", "s" if is_narrow else "ms"):
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("id", no_wrap=True)
        for row in self.rows:
            spent = row.spent
            known = [each for each in (spent.prompt_tokens, spent.completion_tokens) if each]
            table.add_row(
                to_the_minute(row.at),
                _who(row.people, is_narrow=is_narrow),
                row.did,
                Text(row.outcome, STYLES.get(row.outcome, "")),
                str(spent.calls or ""),
                f"{sum(known):,}" if known else "",
                f"{row.milliseconds / 1000:.1f}" if is_narrow else f"{row.milliseconds:,.0f}",
                row.digits,
                style="dim" if row.is_silent else "",
            )
        return table


def _who(people: Sequence[str], *, is_narrow: bool) -> str:
    """Return who thought or talked, by first names for a talk or on a narrow screen."""
    if len(people) > 1 or is_narrow:
        people = [name.split()[0] for name in people]
    return " & ".join(people)


def _plain(row: TraceRow) -> dict[str, object]:
    return {
        "id": row.digits,
        "kind": row.kind,
        "time": row.time,
        "tick": row.tick,
        "agents": list(row.people),
        "name": row.name,
        "steps": list(row.steps),
        "outcome": row.outcome,
        "calls": row.spent.calls,
        "prompt_tokens": row.spent.prompt_tokens,
        "completion_tokens": row.spent.completion_tokens,
        "cached_tokens": row.spent.cached_tokens,
        "milliseconds": round(row.milliseconds, 3),
    }
