"""What differs between two variants' accepted answers: fields, choices that moved, and texts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from smolville.agents.wording import format_count
from smolville.graphs.sense import words_of
from smolville.lab.evaluation.answers import SideBySide, outline
from smolville.lab.evaluation.results import Evaluation, Result
from smolville.lab.evaluation.summary import Summary

if TYPE_CHECKING:
    from rich.console import RenderableType

CHOICE = 24
"""Maximum number of characters of a text that counts as a choice, not as prose."""
LEAST_MOVED = 2
"""How many pairs make a move worth telling."""
MOST_MOVED = 2
"""Number of moves told of a step."""
SHOWN = 3
"""Number of pairs shown side by side."""


@dataclass(frozen=True, kw_only=True)
class StepDifferences:
    """What differs between the answers to one step's questions."""

    step: str
    pairs: int
    """Questions for which an answer of both variants was accepted."""
    differing: int
    fields: dict[str, int]
    """Number of pairs in which each field differs, the most frequent first."""
    moved: tuple[tuple[str, str, str, int], ...]
    """The choices that moved most often: field, from, to, and in how many pairs."""

    @property
    def line(self) -> str:
        """All of it on one line."""
        fields = ", ".join(f"{name} {count}" for name, count in self.fields.items())
        moved = [f"{name} {old} → {new} ({count})" for name, old, new, count in self.moved]
        choices = f"; moved: {', '.join(moved)}" if moved else ""
        return f"{self.step}: {self.differing} of {self.pairs}: {fields}{choices}"


@dataclass(frozen=True, kw_only=True)
class DifferingPair:
    """Two variants' answers to one question, the first one's first."""

    step: str
    person: str
    """The run and the name."""
    moment: str
    base: Result
    other: Result

    @property
    def distance(self) -> float:
        """Share of the words of both answers that only one of them has."""
        one, two = ({*words_of(" ".join(outline(each.answer)))} for each in (self.base, self.other))
        return len(one ^ two) / max(len(one | two), 1)

    @property
    def fields(self) -> list[str]:
        """The fields that differ."""
        base, other = self.base.answer, self.other.answer
        return [name for name in {**base, **other} if base.get(name) != other.get(name)]

    def moved(self) -> Iterator[tuple[str, str, str]]:
        """Yield each choice that moved: field, from and to."""
        for name in self.fields:
            old, new = (_choice(each.answer.get(name)) for each in (self.base, self.other))
            if old and new:
                yield name, old, new

    def plain(self) -> dict[str, Any]:
        """Return plain data with stable keys."""
        answers = [dict(each.answer) for each in (self.base, self.other)]
        return {"moment": self.moment, "step": self.step, "answers": answers}


def _choice(value: Any) -> str:
    """Return a value as a choice; empty for prose and lists."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or isinstance(value, int | float):
        return str(value if value is not None else "none")
    return value if isinstance(value, str) and len(value) <= CHOICE else ""


@dataclass(frozen=True, kw_only=True)
class Differences:
    """What differs between the accepted answers of two variants."""

    numbers: tuple[int, int]
    """Numbers of the variants as the table shows them."""
    steps: tuple[StepDifferences, ...]
    most: tuple[DifferingPair, ...]
    """The pairs that differ most, each of another step if there are steps enough."""

    def plain(self) -> dict[str, Any]:
        """Return plain data with stable keys."""
        return {
            "steps": [asdict(each) for each in self.steps],
            "most": [each.plain() for each in self.most],
        }

    def render(self) -> "Iterator[RenderableType]":
        """Yield a line for each step, and the pairs that differ most side by side."""
        from smolville.lab.styled import Text

        first, second = self.numbers
        if not self.most:
            pairs = format_count(sum(each.pairs for each in self.steps), "accepted answer")
            yield Text(f"\n{pairs} of {first} and {second}: the same, word for word.")
            return
        lines = "\n".join(f"- {each.line}" for each in self.steps if each.differing)
        heading = f"Accepted answers that differ between {first} and {second}, in which fields:"
        yield Text(f"\n{heading}\n{lines}\nThese differ most:")
        for pair in self.most:
            yield Text(f"{pair.step} · {pair.person} · {pair.moment}", style="bold")
            answers = zip(self.numbers, (pair.base, pair.other), strict=True)
            yield SideBySide(
                [
                    Text.assemble((f"{number}\n", "dim"), "\n".join(outline(each.answer)))
                    for number, each in answers
                ]
            )


@dataclass(frozen=True, kw_only=True)
class EvaluationView:
    """An evaluation's summary, and what differs between the variants that it compares."""

    evaluation: Evaluation
    summary: Summary

    @property
    def differences(self) -> list[Differences]:
        """What differs, by comparison."""
        compared = ((each.against, each.variant) for each in self.summary.comparisons)
        return [differences(self.evaluation, *two) for two in compared]

    def plain(self) -> dict[str, Any]:
        """Return plain data with stable keys."""
        told = self.summary.plain()
        return {**told, "differences": [each.plain() for each in self.differences]}

    def render(self) -> "RenderableType":
        """Return the page, designed for 80 columns."""
        from rich.console import Group

        pairs = (part for each in self.differences for part in each.render())
        return Group(self.summary.render(), *pairs)


def differences(evaluation: Evaluation, base: int, other: int) -> Differences:
    """Return what differs between the accepted answers of two variants."""
    kept = {
        (each.moment, each.variant, each.turn): each
        for each in evaluation.results
        if each.is_valid and each.variant in (base, other)
    }
    by_step: dict[str, list[DifferingPair]] = {}
    for (moment, variant, turn), result in kept.items():
        if variant == base and (moment, other, turn) in kept:
            pair = DifferingPair(
                step=evaluation.moments[moment],
                person=evaluation.people[moment].rpartition("/")[2],
                moment=moment,
                base=result,
                other=kept[moment, other, turn],
            )
            by_step.setdefault(pair.step, []).append(pair)
    differing = {
        step: sorted(
            (pair for pair in pairs if pair.fields), key=lambda each: (-each.distance, each.moment)
        )
        for step, pairs in by_step.items()
    }
    firsts = [
        pair for rank in range(SHOWN) for each in differing.values() for pair in each[rank:][:1]
    ]
    return Differences(
        numbers=(base + 1, other + 1),
        steps=tuple(_of_step(step, pairs, differing[step]) for step, pairs in by_step.items()),
        most=tuple(firsts[:SHOWN]),
    )


def _of_step(
    step: str, pairs: Sequence[DifferingPair], differing: Sequence[DifferingPair]
) -> StepDifferences:
    moved = Counter(move for pair in differing for move in pair.moved())
    return StepDifferences(
        step=step,
        pairs=len(pairs),
        differing=len(differing),
        fields=dict(Counter(name for each in differing for name in each.fields).most_common()),
        moved=tuple(
            (*move, count) for move, count in moved.most_common(MOST_MOVED) if count >= LEAST_MOVED
        ),
    )
