"""The questions that people were asked in interviews, and their answers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.times import moment
from smolville.agents.wording import format_count
from smolville.history.inbox_tables import InterviewRecord, read_interviews
from smolville.reports.runs import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class InterviewsView:
    """The interviews of one agent, or of everybody, oldest first."""

    run: OpenRun
    name: str | None
    interviews: list[InterviewRecord]

    def plain(self) -> object:
        """Return a list with an object per question."""
        return [
            {
                "agent": each.agent,
                "time": moment(each.at),
                "asker": each.asker,
                "question": each.question,
                "answer": each.answer,
            }
            for each in self.interviews
        ]

    def render(self) -> "RenderableType":
        """Return each question with its answer."""
        from rich.console import Group
        from rich.table import Table

        from smolville.lab.styled import Text

        count = format_count(len(self.interviews), "interview question")
        parts: list[RenderableType] = [
            Text.assemble((self.name or self.run.folder.name, "bold"), f" · {count}")
        ]
        for each in self.interviews:
            lines = Table.grid(padding=(0, 2))
            lines.add_column(style="cyan", no_wrap=True)
            lines.add_column()
            lines.add_row(each.asker, Text(each.question))
            lines.add_row(each.agent, Text(each.answer))
            parts += [Text(), Text(self.run.format_time(each.at), style="dim"), lines]
        return Group(*parts)


def interviews_view(run: OpenRun, name: str | None = None) -> InterviewsView:
    """Return the interviews of an agent, or of everybody without a name."""
    return InterviewsView(run, name, read_interviews(run.folder, name))
