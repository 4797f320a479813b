"""The results of each moment by variant, and where the variants differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from smolville.agents.wording import LONGEST_SHOWN, ShownText, shown_text
from smolville.lab.evaluation.agreement import Agreement, agreement
from smolville.lab.evaluation.counts import UNASKED
from smolville.lab.evaluation.results import Evaluation, Result, StoredMoment
from smolville.lab.evaluation.summary import results_by_variant

MOST_PROBLEMS = 12
"""Maximum number of problems shown of a reply."""
MOST_LINES = 60
"""Maximum number of lines shown of an answer."""
DEPTH = 6
"""Maximum nesting depth shown of an answer."""
PLAIN = 2
"""Maximum number of fields of an item that is shown without field names."""


@dataclass(frozen=True, kw_only=True)
class AnswerLine:
    """One line of an answer."""

    text: str
    is_new: bool
    """Whether the stored answer lacks this line."""


@dataclass(frozen=True, kw_only=True)
class AnswerGroup:
    """One answer of a variant to a moment, possibly given in several turns."""

    turns: str
    """The turns that gave this answer: `1, 3`; empty if there was only one turn."""
    outcome: str
    decided: float | None
    """Share of deciding fields that equal those of the stored answer."""
    answer: tuple[AnswerLine, ...]
    reply: ShownText
    problems: tuple[str, ...]
    more_problems: int
    odd: tuple[str, ...]
    """What makes no sense in the answer."""


@dataclass(frozen=True, kw_only=True)
class VariantResults:
    """The results of one variant for a moment."""

    number: int
    label: str
    outcomes: tuple[str, ...]
    """The outcome of every turn."""
    turns: tuple[AnswerGroup, ...]
    decided: float | None
    good: int
    """Number of turns whose first answer was valid."""
    objected: int
    """Number of turns whose answer was objected to."""
    odd: int
    """Number of turns whose answer was accepted but is odd."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One moment with the results of every variant."""

    stored: StoredMoment
    answer: tuple[AnswerLine, ...]
    """Lines of the stored answer."""
    sides: tuple[VariantResults, ...]
    sense: int
    """Difference in answers objected to between the best variant and the worst."""
    spread: int
    """Difference in valid first answers between the best variant and the worst."""
    differs: bool

    @property
    def kind(self) -> str:
        """What differs: `sense`, `validity` (first answers), `outcome`, `answer` or `nothing`."""
        if not self.differs:
            return "nothing"
        if self.sense:
            return "sense"
        if self.spread:
            return "validity"
        return "outcome" if len({tuple(sorted(s.outcomes)) for s in self.sides}) > 1 else "answer"


def differences(evaluation: Evaluation) -> tuple[Difference, ...]:
    """Return every moment with its differences, largest first."""
    by_variant = [_by_moment(results) for results in results_by_variant(evaluation)]
    found = []
    for moment in evaluation.moments:
        lines = tuple(outline(moment.answer))
        sides = tuple(
            _side(number, name.label, moment, results.get(moment.id, ()), lines)
            for number, (name, results) in enumerate(
                zip(evaluation.variants, by_variant, strict=True), 1
            )
        )
        found.append(
            Difference(
                stored=moment,
                answer=tuple(AnswerLine(text=line, is_new=False) for line in lines),
                sides=sides,
                sense=_measure_spread([side.objected for side in sides if side.outcomes]),
                spread=_measure_spread([side.good for side in sides if side.outcomes]),
                differs=_differ(moment, sides),
            )
        )
    return tuple(sorted(found, key=lambda each: (not each.differs, -each.sense, -each.spread)))


def outline(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield an answer as short lines, one per list item; at most `MOST_LINES`."""
    lines = _outline_answer(answer, 0)
    for _, line in zip(range(MOST_LINES), lines, strict=False):
        yield shown_text(line, LONGEST_SHOWN // 4).text
    if next(lines, None) is not None:
        yield "…"


def _outline_answer(answer: Mapping[str, Any], depth: int) -> Iterator[str]:
    for name, value in answer.items():
        if isinstance(value, list | tuple) and value:
            yield f"{name}:"
            yield from (f"  {_flat(item, depth + 1)}" for item in value)
        else:
            yield f"{name}: {_flat(value, depth + 1)}"


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


def _side(
    number: int, label: str, moment: StoredMoment, results: Sequence[Result], lines: Sequence[str]
) -> VariantResults:
    agreed = [agreement(moment, result) for result in results]
    decided = [each.deciding for each in agreed if each is not None and each.deciding is not None]
    pairs = sorted(zip(results, agreed, strict=True), key=lambda pair: _likeness_key(pair[0]))
    groups = [list(group) for _, group in groupby(pairs, key=lambda pair: _likeness_key(pair[0]))]
    groups.sort(key=lambda group: group[0][0].turn)
    return VariantResults(
        number=number,
        label=label,
        outcomes=tuple(result.outcome or UNASKED for result in results),
        turns=tuple(_turn(group, len(results), set(lines)) for group in groups),
        decided=sum(decided) / len(decided) if decided else None,
        good=sum(result.is_first_valid for result in results),
        objected=sum(result.is_objected_to for result in results),
        odd=sum(bool(result.odd) for result in results),
    )


def _likeness_key(result: Result) -> tuple[str, str, str]:
    """Return a key; turns with the same key are shown as one."""
    return result.outcome or UNASKED, "\n".join(outline(result.answer)), result.reply


def _turn(
    group: Sequence[tuple[Result, Agreement | None]], of: int, stored: set[str]
) -> AnswerGroup:
    result, agreed = group[0]
    problems = [
        shown_text(each, LONGEST_SHOWN // 8).text for each in result.problems[:MOST_PROBLEMS]
    ]
    return AnswerGroup(
        turns=", ".join(str(each.turn + 1) for each, _ in group) if of > 1 else "",
        outcome=result.outcome or UNASKED,
        decided=agreed.deciding if agreed else None,
        answer=tuple(
            AnswerLine(text=line, is_new=line not in stored) for line in outline(result.answer)
        ),
        reply=shown_text(result.reply),
        problems=tuple(problems),
        more_problems=len(result.problems) - len(problems),
        odd=tuple(shown_text(each, LONGEST_SHOWN // 8).text for each in result.odd[:MOST_PROBLEMS]),
    )


def _differ(moment: StoredMoment, sides: Sequence[VariantResults]) -> bool:
    """Return whether the variants differ in outcome or decisions.

    A single variant is compared with the stored answer.
    """
    asked = [side for side in sides if side.outcomes]
    if len(asked) == 1:
        (side,) = asked
        alike = side.decided is None or side.decided == 1
        return (
            any(each != moment.outcome for each in side.outcomes)
            or not alike
            or _is_odd(moment, side)
        )
    ends = {(tuple(sorted(side.outcomes)), side.decided, side.objected) for side in asked}
    return len(ends) > 1


def _is_odd(moment: StoredMoment, side: VariantResults) -> bool:
    """Return whether the variant's answers are odd and the stored one is not, or the reverse."""
    return bool(side.odd) != bool(moment.odd)


def _measure_spread(counts: Sequence[int]) -> int:
    return max(counts) - min(counts) if counts else 0


def _by_moment(results: Sequence[Result]) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.moment, []).append(result)
    return found
