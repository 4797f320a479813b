"""The memories recalled for a text, as a table or as data."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.stream import Recollection
from agents.times import moment
from cli.town_times import to_the_minute
from reports.opening import OpenRun
from world.text_recall import TextRecall

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class RecallView:
    """The recalled memories, best first."""

    run: OpenRun
    recall: TextRecall
    is_explained: bool = False

    def plain(self) -> object:
        """Return the question, the weights, and every memory with its score."""
        weights = self.recall.weights
        return {
            "agent": self.recall.agent,
            "text": self.recall.text,
            "at": self.recall.at,
            "time": moment(self.recall.at),
            "weights": weights.model_dump(),
            "decay": self.recall.decay,
            "memories": self.recall.memories,
            "found": [_plain(found) for found in self.recall.found],
        }

    def render(self) -> "RenderableType":
        """Return a line per memory, with its score as a sum beneath if `is_explained`."""
        from rich.console import Group
        from rich.table import Table

        from lab.styled import Text

        table = Table.grid(padding=(0, 2))
        table.add_column(justify="right", style="cyan", no_wrap=True)
        table.add_column(no_wrap=True, style="dim")
        table.add_column(no_wrap=True, style="dim")
        table.add_column()
        for found in self.recall.found:
            memory = found.memory
            table.add_row(
                f"{found.score:.3f}", to_the_minute(memory.created), memory.kind, memory.text
            )
            if self.is_explained:
                why = found.explain(self.recall.weights).split(" = ")[1]
                table.add_row("", "", "", Text(f"= {why}", style="dim"))
        head = f"{self.recall.agent} at {self.run.when(self.recall.at)}: {self.recall.text!r}"
        among = f"{len(self.recall.found)} of {self.recall.memories} memories"
        return Group(Text(head, style="bold"), Text(among, style="dim"), table)


def _plain(found: Recollection) -> dict[str, object]:
    memory = found.memory
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "created": memory.created,
        "time": moment(memory.created),
        "score": found.score,
        "recency": round(found.recency, 5),
        "importance": round(found.importance, 5),
        "relevance": round(found.relevance, 5),
    }
