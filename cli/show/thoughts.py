"""An agent's thoughts, with the outcomes of their steps, and the agent's talks in full."""

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.action import Talk
from smolville.agents.times import clock, minute_of, moment
from smolville.agents.wording import format_count
from smolville.cli.tables import to_the_minute
from smolville.graphs.loop.ledger import StepRecord
from smolville.history.records import ThoughtRow
from smolville.lab.tracing.span import thought_digits
from smolville.reports.runs import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.lab.styled import Text

STYLES = {
    "fallback": "yellow",
    "odd": "yellow",
    "repaired": "cyan",
    "escalated": "cyan",
    "mended": "dim",
    "clean": "green",
}
"""Style of an outcome; if several apply, the first one counts."""


@dataclass(frozen=True)
class ThoughtsView:
    """The thoughts of one agent with their steps."""

    run: OpenRun
    name: str
    thoughts: list[ThoughtRow]
    steps: dict[int, list[StepRecord]]
    """The steps of the agent's own thoughts, by tick; steps of talks are not included."""

    def plain(self) -> object:
        """Return a list with an object per thought."""
        return [
            {
                "id": thought_digits(row.agent, row.tick),
                "tick": row.tick,
                "at": row.at,
                "time": moment(row.at),
                "stimuli": list(row.stimuli),
                "nodes": list(row.path),
                "intent": row.intent,
                "failed": row.failed,
                "milliseconds": round(row.milliseconds, 3),
                "steps": [_plain_step(step) for step in self.steps.get(row.tick, [])],
            }
            for row in self.thoughts
        ]

    def render(self) -> "RenderableType":
        """Return a few lines per thought."""
        from rich.console import Group
        from rich.table import Table

        from smolville.lab.styled import Text

        table = Table.grid(padding=(0, 2))
        table.add_column(style="cyan", no_wrap=True, justify="right")
        table.add_column()
        for row in self.thoughts:
            table.add_row(to_the_minute(row.at), self._line(row))
        head = Text.assemble(
            (self.name, "bold"), f" · {format_count(len(self.thoughts), 'thought')}"
        )
        return Group(head, Text(), table)

    def _line(self, row: ThoughtRow) -> "Text":
        from smolville.lab.styled import Text

        because = ", ".join(_times(row.stimuli))
        line = Text(f"{because}: ", style="dim")
        digits = thought_digits(row.agent, row.tick)
        if row.failed:
            return line.append(f"failed: {row.failed}", "red").append(f"  {digits}", "dim")
        line.append(row.intent or "goes on as before", "not dim")
        line.append(f"\n{' → '.join(row.path)}  {digits}", "dim")
        steps = self.steps.get(row.tick, [])
        line.append("\n" if steps else "")
        for number, how in enumerate(_times(tuple(map(_describe_ending, steps)))):
            style = next(STYLES[end] for end in STYLES if f" {end}" in how)
            line.append(" · " if number else "", "dim").append(how, f"not dim {style}")
        return line


def thoughts_view(run: OpenRun, name: str) -> ThoughtsView:
    """Return an agent's thoughts up to the watermark."""
    with run.reader.snapshot():
        steps: defaultdict[int, list[StepRecord]] = defaultdict(list)
        for step in run.reader.steps(name, until=run.tick):
            if step.owner == name:
                steps[step.tick].append(step)
        return ThoughtsView(run, name, run.reader.thoughts(name, until=run.tick), dict(steps))


def _describe_ending(step: StepRecord) -> str:
    """Return a phrase: how a step ended, and in which ways its answer is odd."""
    calls = f" in {step.attempts} calls" if step.attempts > 1 else ""
    odd = f", odd ({', '.join(dict.fromkeys(step.odd_kinds))})" if step.odd_kinds else ""
    return f"{step.step} {step.outcome}{calls}{odd}"


def _times(items: tuple[str, ...]) -> list[str]:
    """Return each item once, with the number of times it occurs."""
    counts = {item: items.count(item) for item in items}
    return [item if count == 1 else f"{item} ×{count}" for item, count in counts.items()]


def _plain_step(step: StepRecord) -> dict[str, object]:
    return {
        "step": step.step,
        "ordinal": step.ordinal,
        "outcome": step.outcome,
        "attempts": step.attempts,
        "problems": list(step.problems),
        "odd": list(step.odd),
        "odd_kinds": list(step.odd_kinds),
    }


@dataclass(frozen=True)
class TalksView:
    """The talks of one agent."""

    run: OpenRun
    name: str
    talks: list[Talk]

    def plain(self) -> object:
        """Return a list with an object per talk."""
        return [_plain_talk(talk) for talk in self.talks]

    def render(self) -> "RenderableType":
        """Return each talk as a dialogue."""
        from rich.console import Group
        from rich.table import Table

        from smolville.lab.styled import Text

        parts: list[RenderableType] = [
            Text.assemble((self.name, "bold"), f" · {len(self.talks)} talks")
        ]
        for talk in self.talks:
            others = " and ".join(talk.others(self.name))
            place = f" · {talk.place}" if talk.place else ""
            head = Text.assemble((f"with {others}", "bold"))
            head.append(
                f" · {self.run.format_time(talk.start)} to {clock(minute_of(talk.end))}{place}"
            )
            lines = Table.grid(padding=(0, 2))
            lines.add_column(style="cyan", no_wrap=True)
            lines.add_column()
            for line in talk.lines:
                text = Text(line.text)
                if line.fallback:
                    text.append(" (fallback)", "yellow")
                lines.add_row(line.speaker, text)
            end = Text(f"ended by {talk.ended_by or 'the cap'}", style="dim")
            parts += [Text(), head, lines, end]
        return Group(*parts)


def talks_view(run: OpenRun, name: str) -> TalksView:
    """Return an agent's talks up to the watermark."""
    return TalksView(run, name, run.reader.talks(name, until=run.tick))


def _plain_talk(talk: Talk) -> dict[str, object]:
    return {
        "id": talk.id,
        "participants": list(talk.participants),
        "place": talk.place,
        "start": moment(talk.start),
        "end": moment(talk.end),
        "ended_by": talk.ended_by,
        "lines": [
            {
                "speaker": line.speaker,
                "text": line.text,
                "at": line.at,
                "time": moment(line.at),
                "fallback": line.fallback,
            }
            for line in talk.lines
        ],
    }
