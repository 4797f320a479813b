"""The talks of an agent, in full."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.action import Talk
from agents.times import clock, minute_of, moment
from reports.opening import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class TalksView:
    """The talks of one agent."""

    run: OpenRun
    name: str
    talks: list[Talk]

    def plain(self) -> object:
        """Return a list with an object per talk."""
        return [_plain(talk) for talk in self.talks]

    def render(self) -> "RenderableType":
        """Return each talk as a dialogue."""
        from rich.console import Group
        from rich.table import Table

        from lab.styled import Text

        parts: list[RenderableType] = [
            Text.assemble((self.name, "bold"), f" · {len(self.talks)} talks")
        ]
        for talk in self.talks:
            others = " and ".join(talk.others(self.name))
            place = f" · {talk.place}" if talk.place else ""
            head = Text.assemble((f"with {others}", "bold"))
            head.append(f" · {self.run.when(talk.start)} to {clock(minute_of(talk.end))}{place}")
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


def _plain(talk: Talk) -> dict[str, object]:
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
