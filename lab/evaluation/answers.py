"""A moment's answers side by side: the stored answer, and the new answers of each variant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from smolville.agents.wording import LONGEST_SHOWN, format_count, shown_text
from smolville.lab.evaluation.agreement import agreement
from smolville.lab.evaluation.asking import as_it_was
from smolville.lab.evaluation.results import Evaluation, Result, StoredMoment
from smolville.lab.evaluation.summary import mean_known, results_by_variant
from smolville.lab.evaluation.summary_view import format_mean, format_seconds, format_tokens
from smolville.lab.moments.moment import Moment

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from smolville.lab.styled import Text

ROOM = 44
"""Minimum number of columns that an answer needs to be shown beside another."""
GAP = 3
MOST_LINES = 60
"""Maximum number of lines shown of an answer."""
DEPTH = 6
"""Maximum nesting depth shown of an answer."""
PLAIN = 2
"""Maximum number of fields of an item that is shown without field names."""
MOST_PROBLEMS = 6
LONGEST_PROBLEM = 400
LONGEST_REPLY = 700
"""Maximum number of characters shown of a rejected first reply."""


def outline(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield an answer as short lines, one per list item; at most `MOST_LINES`."""
    lines = _outline_answer(answer)
    for _, line in zip(range(MOST_LINES), lines, strict=False):
        yield shown_text(line, LONGEST_SHOWN // 4).text
    if next(lines, None) is not None:
        yield "…"


def _outline_answer(answer: Mapping[str, Any]) -> Iterator[str]:
    for name, value in answer.items():
        if isinstance(value, list | tuple) and value:
            yield f"{name}:"
            yield from (f"  {_flat(item, 1)}" for item in value)
        else:
            yield f"{name}: {_flat(value, 1)}"


def _flat(value: Any, depth: int) -> str:
    """Return a value as text on one line."""
    if depth > DEPTH:
        return "…"
    if isinstance(value, Mapping) and len(value) <= PLAIN:
        return " · ".join(_flat(each, depth + 1) for each in value.values())
    if isinstance(value, Mapping):
        return " · ".join(f"{name} {_flat(each, depth + 1)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_flat(each, depth + 1) for each in value) or "none"
    if value is None:
        return "–"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Card:
    """One answer as it is shown, possibly given in several turns."""

    title: str
    model: str
    ending: str
    """How it ended, in words."""
    is_good: bool
    """Whether it was accepted at once, and no check objects to it."""
    facts: str
    """Its cost, and how far it agrees with the stored answer."""
    lines: tuple[tuple[str, bool], ...]
    """The lines of the answer; with each, whether the stored answer lacks it."""
    faults: tuple[str, ...]
    """What is odd in it, and the problems of the first reply."""
    reply: str = ""
    """The beginning of the first reply, if it had problems."""


def cards_of(evaluation: Evaluation, stored: StoredMoment) -> list[Card]:
    """Return the new answers to a moment by variant; equal answers are shown once."""
    found = []
    for name, everything in zip(evaluation.variants, results_by_variant(evaluation), strict=True):
        results = sorted((each for each in everything if each.moment == stored.id), key=_likeness)
        groups = [list(group) for _, group in groupby(results, key=_likeness)]
        for group in sorted(groups, key=lambda each: each[0].turn):
            turns = ", ".join(str(each.turn + 1) for each in group)
            more = f"  answers {turns} of {len(results)}" if len(results) > 1 else ""
            found.append(_card(name.prompts, name.model + more, group, stored))
    return found


def differs(evaluation: Evaluation, stored: StoredMoment) -> bool:
    """Return whether the variants' answers to a moment differ in outcome, decisions or objections.

    The answers of a single variant are compared with the stored one.
    """
    sides = [
        {
            (each.outcome, agreement(stored, each), each.is_objected_to)
            for each in results
            if each.moment == stored.id
        }
        for results in results_by_variant(evaluation)
    ]
    asked = [side for side in sides if side]
    if len(asked) != 1:
        return any(side != asked[0] for side in asked)
    was_objected = stored.outcome == "fallback" or bool(stored.odd)
    usual = {(stored.outcome, agreed, was_objected) for agreed in (None, 1.0)}
    return not asked[0] <= usual


def _card(title: str, model: str, group: Sequence[Result], stored: StoredMoment | None) -> Card:
    """Return equal answers as a card; `stored` is what they are compared with, if anything."""
    result = group[0]
    known = None if stored is None else {*outline(stored.answer)}
    prompts = format_tokens(mean_known(each.prompt_tokens for each in group))
    replies = format_tokens(mean_known(each.completion_tokens for each in group))
    took = format_seconds(mean_known(each.milliseconds for each in group))
    facts = f"{prompts} tokens in, {replies} out · {took}"
    if stored is not None and (agreed := agreement(stored, result)) is not None:
        facts += f" · agrees {format_mean(agreed)}"
    odd = zip(result.odd_kinds, result.odd, strict=False)
    faults = [f"odd ({kind}): {sentence}" for kind, sentence in odd]
    faults += [f"- {problem}" for problem in result.problems[:MOST_PROBLEMS]]
    more = len(result.problems) - MOST_PROBLEMS
    faults += [f"- and {more} more"] if more > 0 else []
    reply = shown_text(result.reply, LONGEST_REPLY)
    lines = () if result.outcome is None else outline(result.answer)
    return Card(
        title=title,
        model=model,
        ending=_ending(result),
        is_good=result.is_first_valid and not result.odd,
        facts=facts,
        lines=tuple((line, known is not None and line not in known) for line in lines),
        faults=tuple(shown_text(each, LONGEST_PROBLEM).text for each in faults),
        reply=f"{reply.text}{'…' if reply.more else ''}" if result.problems else "",
    )


def _ending(result: Result) -> str:
    """Return how an answer ended in words."""
    if result.outcome is None:
        return "does not fit the model's context"
    if not result.is_valid:
        return f"not valid: a fallback after {format_count(result.attempts, 'call')}"
    odd = ", objected to" if result.odd else ""
    if not result.is_first_valid:
        return f"accepted after {format_count(result.attempts - 1, 'repair')}{odd}"
    return f"accepted at once: {result.outcome}{odd}"


def _likeness(result: Result) -> tuple[str, str, str]:
    """Return a key; answers with the same key are shown as one."""
    wrong = "\n".join((*result.odd, *result.problems))
    return result.outcome or "", "\n".join(outline(result.answer)), wrong


@dataclass(frozen=True)
class AnswersView:
    """The answers to one moment, as text for people or as plain data."""

    evaluation: Evaluation
    """The evaluation of this one moment."""
    moment: Moment

    def plain(self) -> object:
        """Return every answer as plain data."""
        (moment,) = self.evaluation.moments
        stored = asdict(moment)
        del stored["inputs"]
        variants = zip(self.evaluation.variants, results_by_variant(self.evaluation), strict=True)
        return {
            "moment": stored,
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
                            "agreement": agreement(moment, each),
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

        (stored,) = self.evaluation.moments
        what = f"{stored.step} · {stored.agent} · {stored.time} · {stored.id}"
        model = self.moment.attempts[0].call.model
        cards = [_card("stored", model, [as_it_was(self.moment)], None)]
        cards += cards_of(self.evaluation, stored)
        texts = [_text(card, [line for line, _ in cards[0].lines]) for card in cards]
        return Group(Text(what, style="bold"), Text(), SideBySide(texts))


def _text(card: Card, stored: Sequence[str]) -> "Text":
    """Return a card as a block of text."""
    from smolville.lab.styled import Text

    style = "green" if card.is_good else "yellow" if card.ending.startswith("acc") else "red"
    text = Text.assemble((card.title, "bold"), "\n", (card.model, "dim"), "\n")
    text.append(card.ending, style).append(f"\n{card.facts}\n", "dim")
    if card.title != "stored" and [line for line, _ in card.lines] == stored:
        text.append("\nthe stored answer, word for word", "dim")
    else:
        for line, is_new in card.lines:
            text.append(f"\n{line}", "green" if is_new else "")
    text.append("\n")
    for fault in card.faults:
        text.append(f"\n{fault}", "yellow")
    return text.append(f"\nwrote first: {card.reply}", "dim") if card.reply else text


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
