"""Run `smolville health --read-by`: let a model read a run's answers, and show its verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from smolville.agents.wording import visible_line
from smolville.cli.options import command
from smolville.cli.prompt.again import ModelOptions
from smolville.cli.prompt.judge import ask_model
from smolville.lab.judging.reading import (
    LABELS,
    WORDS,
    Item,
    ReaderTally,
    labelled_items,
    read_items,
)
from smolville.lab.judging.verdicts import NONE, verdicts_in

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

KEPT = Path(".readings") / "readings.jsonl"
"""File of all readings, in the folder of runs: labelled answers are read only once by a reader."""


def read_run(runs: Path, found: Sequence[Item], how: ModelOptions) -> ReaderTally:
    """Return what a model makes of labelled answers mixed with a run's; old readings are used.

    Every reading is saved at once. Raises typer.Exit when the reading is stopped early.
    """
    items = (*labelled_items(), *found)
    (chat,) = how.open_chats(0)
    with verdicts_in(runs / KEPT) as verdicts:
        ask_model(partial(read_items, items, verdicts), len(items), chat, how)
        known = verdicts.of(chat.spec)
    return ReaderTally(reader=chat.spec, items=items, verdicts=dict(known))


@dataclass(frozen=True, kw_only=True)
class ReadView:
    """What a reader made of labelled answers and of a run's."""

    tally: ReaderTally
    runs: Path
    run: str

    def plain(self) -> dict[str, object]:
        """Return the tally as plain data."""
        return self.tally.plain()

    def render(self) -> "RenderableType":
        """Return the sentences, the tables, and the answers that were called senseless."""
        from rich.console import Group

        from smolville.lab.styled import Text

        first, *rest = map(visible_line, self.tally.sentences)
        parts: list[RenderableType] = [Text(first, style="bold"), self._labels()]
        parts += [Text(each, style="bold") for each in rest]
        if self.tally.is_trusted:
            for item in self.tally.senseless:
                reason = self.tally.verdicts[item.key].reason
                told = f"{item.time}  {item.agent}, {item.step}: {reason}"
                look = command(self.runs, "trace", self.run, item.thought)
                parts.append(Text(f"senseless: {visible_line(told)}", style="yellow"))
                # Never wrapped: these lines are meant to be copied.
                parts.append(Text(f"  {look}", "dim", no_wrap=True, overflow="ignore"))
        return Group(*parts)

    def _labels(self) -> "Table":
        """Return a row per label: what the reader called the answers that have it."""
        from smolville.lab.styled import plain_table

        words = (*WORDS, NONE)
        counts = ([str(self.tally.count(label, word) or "·") for word in words] for label in LABELS)
        rows = ((label, *each) for label, each in zip(LABELS, counts, strict=True))
        return plain_table(("labelled", *words), rows)
