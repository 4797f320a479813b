"""Somebody's goals and how they were revised, and their needs today, hour by hour."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.goals import Goal, GoalChange
from smolville.agents.needs import MOST, Needs, NeedsRow, is_high, is_urgent
from smolville.agents.times import at_of, clock, day_of, moment
from smolville.history.later_tables import needs_of
from smolville.reports.present import mind_of
from smolville.reports.runs import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.lab.styled import Text


_STEPS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class GoalsView:
    """One agent's goals and their revisions, oldest first."""

    name: str
    goals: tuple[Goal, ...]
    changes: tuple[GoalChange, ...]
    texts: Mapping[str, str]
    """The text of each memory, by its id."""

    def plain(self) -> object:
        """Return the goals, and an object per revision."""
        return {
            "name": self.name,
            "goals": [{"text": each.text, "since": moment(each.since)} for each in self.goals],
            "changes": [
                {
                    "time": moment(each.at),
                    "kind": each.kind,
                    "before": each.before,
                    "after": each.after,
                    "reason": each.reason,
                    "because": [
                        {"id": memory, "text": self.texts.get(memory, "")}
                        for memory in each.because
                    ],
                }
                for each in self.changes
            ],
        }

    def render(self) -> "RenderableType":
        """Return the goals, then each revision as a difference with its reason."""
        from rich.console import Group

        from smolville.lab.styled import Text

        lines = [Text.assemble((self.name, "bold"), " · goals")]
        lines += [
            Text.assemble((moment(each.since), "dim"), f"  {each.text}") for each in self.goals
        ]
        if not self.goals:
            lines.append(Text("none now", style="dim"))
        for each in self.changes:
            lines += [Text(), Text.assemble((moment(each.at), "cyan"), f"  {each.kind}")]
            lines += [Text(f"- {each.before}", style="red")] if each.before else []
            lines += [Text(f"+ {each.after}", style="green")] if each.after else []
            lines += [Text(f"  {each.reason}", style="italic")] if each.reason else []
            lines += [
                Text(f"  because of: {self.texts.get(memory, memory)}", style="dim")
                for memory in each.because
            ]
        return Group(*lines)


def goals_view(run: OpenRun, name: str) -> GoalsView:
    """Return an agent's goals as of the watermark."""
    mind = mind_of(run.reader, name, run.tick)
    if mind is None:
        return GoalsView(name, (), (), {})
    ids = [memory for each in mind.goal_changes for memory in each.because]
    return GoalsView(name, mind.goals, mind.goal_changes, run.reader.memory_texts(ids))


@dataclass(frozen=True)
class NeedsView:
    """The levels of one person's needs at the full hours of a day, and now."""

    run: OpenRun
    name: str
    needs: Needs
    rows: list[NeedsRow]

    @property
    def at(self) -> int:
        """The last town second of the history; 0 while the history is empty."""
        return max(0, self.run.at - 1)

    @property
    def hours(self) -> list[tuple[int, dict[str, float]]]:
        """Each full hour of today with the needs' known levels; the last entry is the present."""
        day = day_of(self.at)
        full = [at_of(day, 60 * hour) for hour in range(25)]
        moments = [each for each in full if each < self.at] + [self.at]
        found = [(each, levels_at(self.rows, each)) for each in moments]
        return [(each, levels) for each, levels in found if levels]

    def plain(self) -> object:
        """Return plain data: the bounds of each need, and its levels by the hour."""
        had = self.needs.had()
        return {
            "name": self.name,
            "bounds": {need: self.needs.of(need).bound for need in had},
            "hours": [
                {"time": moment(at), **{need: round(level, 1) for need, level in levels.items()}}
                for at, levels in self.hours
            ],
        }

    def render(self) -> "RenderableType":
        """Return a curve for each need, and a table of the hours."""
        from rich.console import Group
        from rich.table import Table

        from smolville.lab.styled import Text

        hours = self.hours
        head = Text.assemble((self.name, "bold"), f" · {self.run.format_time(self.run.at)}")
        if not hours:
            return Group(head, Text("Their needs were left out, or the run has not started."))
        names = list(hours[-1][1])
        curves, table = Table.grid(padding=(0, 2)), Table.grid(padding=(0, 2))
        for name in names:
            curve = "".join(_block(levels[name]) for _, levels in hours)
            bound = Text(f"urgent from {self.needs.of(name).bound:.0f}", style="dim")
            curves.add_row(Text(name, style="bold"), Text(curve), bound)
        table.add_column(style="cyan", no_wrap=True)
        for _ in names:
            table.add_column(justify="right", no_wrap=True)
        table.add_row("", *(Text(name, style="bold") for name in names))
        for at, levels in hours:
            found = (self._level(name, levels[name]) for name in names)
            table.add_row(clock(at % 86_400 // 60), *found)
        note = Text("by the hour: 0 is met, 100 the most", style="dim")
        return Group(head, note, Text(), curves, Text(), table)

    def _level(self, need: str, level: float) -> "Text":
        """Return a level, with a mark if it is high or urgent."""
        from smolville.lab.styled import Text

        rates = self.needs.of(need)
        style = "bold red" if is_urgent(level, rates) else "yellow" if is_high(level, rates) else ""
        return Text(f"{level:.0f}", style=style)


def _block(level: float) -> str:
    """Return a block character whose height shows a level."""
    return _STEPS[min(len(_STEPS) - 1, int(level / MOST * len(_STEPS)))]


def needs_view(run: OpenRun, name: str) -> NeedsView:
    """Return one person's needs today, as of the watermark."""
    return NeedsView(
        run, name, run.persona(name).needs, needs_of(run.reader.connection, name, until=run.tick)
    )


def levels_at(rows: Sequence[NeedsRow], at: int) -> dict[str, float]:
    """Return the levels of the needs at a town second, interpolated between two computed rows.

    One activity goes on from row to row, so each level changes linearly unless it reaches 0. After
    the last row, the levels of that row are returned. Before the first row, the dict is empty.
    """
    after = bisect_right(rows, at, key=lambda row: row.at)
    if after == 0:
        return {}
    last = rows[after - 1]
    if after == len(rows) or last.at == at:
        return dict(last.levels)
    following = rows[after]
    share = (at - last.at) / (following.at - last.at)
    return {
        need: level + share * (following.levels.get(need, level) - level)
        for need, level in last.levels.items()
    }
