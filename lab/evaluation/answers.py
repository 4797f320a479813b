"""A moment's answers side by side: the stored answer, and the new answers of each variant."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from smolville.agents.wording import format_count, shown_text
from smolville.lab.evaluation.agreement import agreement
from smolville.lab.evaluation.asking import as_it_was
from smolville.lab.evaluation.counts import mean_known
from smolville.lab.evaluation.differences import outline
from smolville.lab.evaluation.results import Evaluation, Result, StoredMoment
from smolville.lab.evaluation.summary_view import format_mean, format_seconds, format_tokens
from smolville.lab.moments.moment import Moment

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from smolville.lab.styled import Text

ROOM = 44
"""Minimum number of columns that an answer needs to be shown beside another."""
GAP = 3
MOST_PROBLEMS = 6
LONGEST_PROBLEM = 400
LONGEST_REPLY = 700
"""Maximum number of characters shown of a rejected first reply."""


@dataclass(frozen=True)
class AnswersView:
    """The answers to one moment, as text for people or as plain data."""

    evaluation: Evaluation
    """The evaluation of this one moment."""
    moment: Moment

    @property
    def stored(self) -> StoredMoment:
        """The stored moment."""
        (stored,) = self.evaluation.moments
        return stored

    def plain(self) -> object:
        """Return every answer as plain data."""
        stored = asdict(self.stored)
        del stored["inputs"]
        return {
            "moment": stored,
            "repairs": self.evaluation.repairs,
            "variants": [
                {
                    "prompts": name.prompts,
                    "model": name.model,
                    "results": [self._plain(result) for result in self._results_of(number)],
                }
                for number, name in enumerate(self.evaluation.variants)
            ],
        }

    def render(self) -> "RenderableType":
        """Return the page, with as many answers side by side as there is room for."""
        from rich.console import Group

        from smolville.lab.styled import Text

        stored = self.stored
        what = f"{stored.step} · {stored.agent} · {stored.time} · {stored.id}"
        return Group(Text(what, style="bold"), Text(), SideBySide(list(self._cards())))

    def _results_of(self, variant: int) -> list[Result]:
        return [result for result in self.evaluation.results if result.variant == variant]

    def _plain(self, result: Result) -> dict[str, object]:
        fields = asdict(result)
        del fields["moment"], fields["variant"]
        agreed = agreement(self.stored, result)
        return {
            **fields,
            "objected": result.is_objected_to,
            "first_valid": result.is_first_valid,
            "valid": result.is_valid,
            "agreement": None if agreed is None else asdict(agreed),
        }

    def _cards(self) -> Iterator["Text"]:
        """Yield the stored answer and each variant's answers; equal answers are shown once."""
        from smolville.lab.styled import Text

        then, model = as_it_was(self.moment), self.moment.attempts[0].call.model
        lines = list(outline(then.answer))
        title = Text.assemble(("stored", "bold"), "\n", (model, "dim"))
        yield self._card(title, [then], lines, is_stored=True)
        for number, name in enumerate(self.evaluation.variants):
            results = sorted(self._results_of(number), key=_likeness)
            groups = [list(group) for _, group in groupby(results, key=_likeness)]
            for group in sorted(groups, key=lambda each: each[0].turn):
                title = Text.assemble((name.prompts, "bold"), "\n", (name.model, "dim"))
                if len(results) > 1:
                    title.append(f"  {_turns(group)} of {len(results)}", style="dim")
                yield self._card(title, group, lines)

    def _card(
        self, card: "Text", group: Sequence[Result], stored: list[str], *, is_stored: bool = False
    ) -> "Text":
        """Return an answer as a block of text: how it ended, its cost, how it differs."""
        facts = self._took(group) if is_stored else self._facts(group)
        result = group[0]
        card.append("\n").append(*_ending(result))
        card.append(f"\n{facts}\n", style="dim")
        lines = [] if result.outcome is None else list(outline(result.answer))
        if lines == stored and not is_stored:
            card.append("\nthe stored answer, word for word", style="dim")
        else:
            for line in lines:
                card.append(f"\n{line}", style="" if line in stored else "green")
        card.append("\n").append_text(_describe_faults(result))
        return card

    def _facts(self, group: Sequence[Result]) -> str:
        """Return the cost of a group of answers, and how far they agree with the stored one."""
        agreed = agreement(self.stored, group[0])
        parts = [self._took(group)]
        if agreed is not None and agreed.deciding is not None:
            parts.append(f"agrees {format_mean(agreed.deciding)}")
        if agreed is not None and agreed.text is not None:
            parts.append(f"alike {format_mean(agreed.text)}")
        return " · ".join(parts)

    def _took(self, group: Sequence[Result]) -> str:
        """Return the tokens and the time of an answer, or the means of a group of equal answers."""
        prompts = mean_known([result.prompt_tokens for result in group])
        replies = mean_known([result.completion_tokens for result in group])
        took = format_seconds(sum(result.milliseconds for result in group) / len(group))
        return f"{format_tokens(prompts)} tokens in, {format_tokens(replies)} out · {took}"


@dataclass(frozen=True)
class SideBySide:
    """Blocks of text, shown side by side if the screen is wide enough, else one below another."""

    cards: "list[Text]"

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.table import Table

        from smolville.lab.styled import Text

        across = max(1, min(len(self.cards), (options.max_width + GAP) // (ROOM + GAP)))
        for start in range(0, len(self.cards), across):
            row = self.cards[start : start + across]
            table = Table.grid(padding=(0, GAP, 0, 0), expand=True)
            for _ in range(across):
                table.add_column(ratio=1, overflow="fold")
            table.add_row(*row, *[Text()] * (across - len(row)))
            yield table
            yield Text()


def _ending(result: Result) -> tuple[str, str]:
    """Return how an answer ended in words, and the style for these words."""
    if result.outcome is None:
        return "does not fit the model's context", "red"
    if not result.is_valid:
        return f"not valid: a fallback after {format_count(result.attempts, 'call')}", "red"
    odd = ", objected to" if result.odd else ""
    if not result.is_first_valid:
        return f"accepted after {format_count(result.attempts - 1, 'repair')}{odd}", "yellow"
    return f"accepted at once: {result.outcome}{odd}", "yellow" if odd else "green"


def _describe_faults(result: Result) -> "Text":
    """Return what is odd in an answer, the problems of the first reply, and that reply."""
    from smolville.lab.styled import Text

    faults = Text()
    for kind, sentence in zip(result.odd_kinds, result.odd, strict=False):
        faults.append(f"\nodd ({kind}): {shown_text(sentence, LONGEST_PROBLEM).text}", "yellow")
    for problem in result.problems[:MOST_PROBLEMS]:
        faults.append(f"\n- {shown_text(problem, LONGEST_PROBLEM).text}", style="yellow")
    if result.problems[MOST_PROBLEMS:]:
        faults.append(f"\n- and {len(result.problems) - MOST_PROBLEMS} more", style="yellow")
    if result.problems and result.reply:
        reply = shown_text(result.reply, LONGEST_REPLY)
        faults.append(f"\nwrote first: {reply.text}{'…' if reply.more else ''}", style="dim")
    return faults


def _likeness(result: Result) -> tuple[str, str, str]:
    """Return a key; answers with the same key are shown as one."""
    wrong = "\n".join((*result.odd, *result.problems))
    return result.outcome or "", "\n".join(outline(result.answer)), wrong


def _turns(group: Sequence[Result]) -> str:
    """Return the turns that gave this answer: `answers 1 and 3`."""
    numbers = [str(result.turn + 1) for result in group]
    if len(numbers) == 1:
        return f"answer {numbers[0]}"
    return f"answers {', '.join(numbers[:-1])} and {numbers[-1]}"
