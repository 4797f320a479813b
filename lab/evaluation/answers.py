"""A moment's answers side by side: the stored answer, and the new answers of each variant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from smolville.agents.wording import (
    LONGEST_SHOWN,
    format_count,
    format_seconds,
    format_tokens,
    shown_text,
)
from smolville.lab.evaluation.asking import recorded_result
from smolville.lab.evaluation.results import Evaluation, Result
from smolville.lab.evaluation.summary import mean_known
from smolville.lab.moments.moment import Moment

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from smolville.lab.styled import Text

ROOM = 44
"""Minimum number of columns that an answer needs to be shown beside another."""
GAP = 3
PLAIN = 2
"""Maximum number of fields of an item that is shown without field names."""
MOST_PROBLEMS = 6
LONGEST_PROBLEM = 400
LONGEST_REPLY = 700
"""Maximum number of characters shown of a rejected first reply."""


def outline(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield an answer as short lines, one per list item."""
    for name, value in answer.items():
        if isinstance(value, list | tuple) and value:
            lines = [f"{name}:", *(f"  {_flat(item)}" for item in value)]
        else:
            lines = [f"{name}: {_flat(value)}"]
        yield from (shown_text(line, LONGEST_SHOWN // 4).text for line in lines)


def _flat(value: Any) -> str:
    if isinstance(value, Mapping) and len(value) <= PLAIN:
        return " · ".join(_flat(each) for each in value.values())
    if isinstance(value, Mapping):
        return " · ".join(f"{name} {_flat(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_flat(each) for each in value) or "none"
    if value is None:
        return "–"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class AnswersView:
    """The answers to one moment, as text for people or as plain data."""

    evaluation: Evaluation
    """The evaluation of this one moment."""
    moment: Moment

    def plain(self) -> object:
        """Return every answer as plain data."""
        moment = self.moment
        named = ("id", "step", "agent", "time", "outcome", "answer")
        variants = zip(self.evaluation.variants, self.evaluation.by_variant(), strict=True)
        return {
            "moment": {name: getattr(moment, name) for name in named},
            "repairs": self.evaluation.repairs,
            "variants": [
                {
                    **asdict(name),
                    "results": [
                        {
                            **asdict(each),
                            "objected": each.is_objected_to,
                            "first_valid": each.is_first_valid,
                            "valid": each.is_valid,
                        }
                        for each in results
                    ],
                }
                for name, results in variants
            ],
        }

    def render(self) -> "RenderableType":
        """Return the page, with as many answers side by side as there is room for."""
        from rich.console import Group

        from smolville.lab.styled import Text

        moment = self.moment
        what = f"{moment.step} · {moment.agent} · {moment.time} · {moment.id}"
        stored = recorded_result(moment)
        blocks = [_block("stored", moment.attempts[0].call.model, [stored], None)]
        for name, results in zip(
            self.evaluation.variants, self.evaluation.by_variant(), strict=True
        ):
            # Answers that are equal, with the same faults, are shown once.
            alike: dict[object, list[Result]] = {}
            for each in results:
                key = (each.outcome, *outline(each.answer), each.odd, each.problems)
                alike.setdefault(key, []).append(each)
            for group in alike.values():
                turns = ", ".join(str(each.turn + 1) for each in group)
                more = f"  answers {turns} of {len(results)}" if len(results) > 1 else ""
                blocks.append(
                    _block(name.prompts, name.model + more, group, [*outline(stored.answer)])
                )
        return Group(Text(what, style="bold"), Text(), SideBySide(blocks))


def _block(title: str, model: str, group: Sequence[Result], stored: Sequence[str] | None) -> "Text":
    """Return equal answers as a block of text; `stored` is what they are compared with, if any."""
    from smolville.lab.styled import Text

    result = group[0]
    is_good = result.is_first_valid and not result.odd
    style = "green" if is_good else "yellow" if result.is_valid else "red"
    prompts = format_tokens(mean_known(each.prompt_tokens for each in group))
    replies = format_tokens(mean_known(each.completion_tokens for each in group))
    took = format_seconds(mean_known(each.milliseconds for each in group))
    text = Text.assemble((title, "bold"), "\n", (model, "dim"), "\n")
    text.append(_ending(result), style)
    text.append(f"\n{prompts} tokens in, {replies} out · {took}\n", "dim")
    lines = [] if result.outcome is None else [*outline(result.answer)]
    if lines == stored:
        text.append("\nthe stored answer, word for word", "dim")
    else:
        for line in lines:
            text.append(f"\n{line}", "" if stored is None or line in stored else "green")
    odd = zip(result.odd_kinds, result.odd, strict=True)
    faults = [f"odd ({kind}): {told}" for kind, told in odd]
    faults += [f"- {problem}" for problem in result.problems[:MOST_PROBLEMS]]
    text.append("\n")
    for fault in faults:
        text.append(f"\n{shown_text(fault, LONGEST_PROBLEM).text}", "yellow")
    if result.problems:
        text.append(f"\nwrote first: {shown_text(result.reply, LONGEST_REPLY).text}", "dim")
    return text


def _ending(result: Result) -> str:
    if result.outcome is None:
        return "does not fit the model's context"
    if not result.is_valid:
        return f"not valid: a fallback after {format_count(result.attempts, 'call')}"
    odd = ", objected to" if result.odd else ""
    if not result.is_first_valid:
        return f"accepted after {format_count(result.attempts - 1, 'repair')}{odd}"
    return f"accepted at once: {result.outcome}{odd}"


@dataclass(frozen=True)
class SideBySide:
    """Blocks of text, shown side by side if the screen is wide enough, else one below another."""

    blocks: "list[Text]"

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.table import Table

        from smolville.lab.styled import Text

        across = max(1, min(len(self.blocks), (options.max_width + GAP) // (ROOM + GAP)))
        for start in range(0, len(self.blocks), across):
            row = self.blocks[start : start + across]
            table = Table.grid(padding=(0, GAP, 0, 0), expand=True)
            for _ in range(across):
                table.add_column(ratio=1, overflow="fold")
            table.add_row(*row, *[Text()] * (across - len(row)))
            yield table
            yield Text()
