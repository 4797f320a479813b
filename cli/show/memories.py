"""All memories of an agent, with their importance and the evidence they rest on."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from agents.memory import Memory, MemoryKind
from agents.times import moment
from cli.town_times import to_the_minute
from reports.opening import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType

KINDS: tuple[str, ...] = get_args(MemoryKind)


@dataclass(frozen=True)
class MemoriesView:
    """The memories of one agent, oldest first."""

    run: OpenRun
    name: str
    memories: list[Memory]
    kind: str | None

    def plain(self) -> object:
        """Return a list with an object per memory."""
        return [_plain(memory) for memory in self.memories]

    def render(self) -> "RenderableType":
        """Return a line per memory, with the numbers of its evidence."""
        from rich.console import Group
        from rich.table import Table

        from lab.styled import Text

        what = f"{self.kind} memories" if self.kind else "memories"
        head = Text.assemble((self.name, "bold"), f" · {len(self.memories)} {what}")
        note = Text("importance marked ~ is provisional, not rated yet", style="dim")
        numbers = {memory.id: number for number, memory in enumerate(self.memories, 1)}
        table = Table.grid(padding=(0, 2))
        for style in ("dim", "dim", "cyan", "dim"):
            table.add_column(style=style, no_wrap=True, justify="right")
        table.add_column(style="dim", no_wrap=True)
        table.add_column()
        for memory in self.memories:
            text = Text(memory.text)
            if memory.strength > 1:
                text.append(f"  ×{memory.strength}", "dim")
            based = [f"#{numbers[each]}" for each in memory.evidence if each in numbers]
            if based:
                text.append(f"  because of {', '.join(based)}", "dim")
            table.add_row(
                f"#{numbers[memory.id]}",
                to_the_minute(memory.created),
                weight(memory),
                f"seen {to_the_minute(memory.accessed)}",
                memory.kind,
                text,
            )
        return Group(head, note, Text(), table)


def memories_view(run: OpenRun, name: str, kind: str | None = None) -> MemoriesView:
    """Return an agent's memories, all or of one kind, as of the watermark."""
    memories = run.reader.memories(name, run.tick)
    chosen = [memory for memory in memories if kind is None or memory.kind == kind]
    return MemoriesView(run, name, chosen, kind)


def weight(memory: Memory) -> str:
    """Return the importance used for a memory; `~` marks a provisional one."""
    return f"{memory.weight:g}" if memory.importance is not None else f"~{memory.weight:g}"


def _plain(memory: Memory) -> dict[str, object]:
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "created": memory.created,
        "time": moment(memory.created),
        "accessed": memory.accessed,
        "importance": memory.weight,
        "provisional": memory.importance is None,
        "triple": [memory.subject, memory.predicate, memory.object],
        "keywords": list(memory.keywords),
        "expires": memory.expires,
        "evidence": list(memory.evidence),
        "depth": memory.depth,
        "strength": memory.strength,
    }
