"""Verdicts of judges on two variants: a table with a row, and a sentence, for each judge."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.numbers import many
from lab.evaluation.shown import interval_told, share_told
from lab.judging.pairs import Contest
from lab.judging.tally import JudgeAgreement, JudgeTally, concords, tally
from lab.judging.verdicts import Verdicts

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


@dataclass(frozen=True)
class JudgedView:
    """The verdicts on a contest."""

    contest: Contest
    verdicts: Verdicts

    @property
    def tallies(self) -> list[JudgeTally]:
        """The tally of each judge who judged any of these pairs, in the order of the file."""
        keys = {pair.key for pair in self.contest.pairs}
        return [
            tally(self.contest, self.verdicts, judge)
            for judge, given in self.verdicts.by_judge.items()
            if keys & given.keys()
        ]

    @property
    def concords(self) -> list[JudgeAgreement]:
        """The agreement of every two of these judges."""
        return concords(self.contest, self.verdicts, [each.judge for each in self.tallies])

    def plain(self) -> object:
        """Return the counts as plain data."""
        contest = self.contest
        return {
            "a": contest.labels[0],
            "b": contest.labels[1],
            "pairs": len(contest.pairs),
            "equal": contest.equal,
            "only_a": contest.only[0],
            "only_b": contest.only[1],
            "neither": contest.neither,
            "judges": [each.plain() for each in self.tallies],
            "agreement": [each.plain() for each in self.concords],
        }

    def render(self) -> "RenderableType":
        """Return the page."""
        from rich.console import Group

        from lab.styled import Text

        first, second = self.contest.labels
        tallies = self.tallies
        parts: list[RenderableType] = [Text(f"B: {second}, beside A: {first}", style="bold")]
        if not tallies:
            parts.append(Text("Nobody has judged any of their answers yet."))
        else:
            parts.append(_table(tallies))
            parts += [Text(_sentence(each, is_only=not tallies[1:])) for each in tallies]
        parts += [Text(each.sentence) for each in self.concords]
        return Group(*parts, Text(_aside(self.contest), style="dim"))


def _table(tallies: Sequence[JudgeTally]) -> "Table":
    """Return a row per judge."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from lab.styled import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("judge", overflow="fold", min_width=10)
    for heading in ("B wins", "ties", "A wins", "B of the\ndecided", "both bad", "wavers", "left"):
        table.add_column(heading, justify="right")
    for each in tallies:
        share = Text.assemble(share_told(each.share), "\n", (interval_told(each.share), "dim"))
        counts = (str(number) for number in (each.wins, each.ties, each.losses))
        rest = (str(number) for number in (each.bad, each.wavering, each.left + each.silent))
        table.add_row(each.judge, *counts, share, *rest)
    return table


def _sentence(told: JudgeTally, *, is_only: bool) -> str:
    """Return whether a judge found the second variant better, and how many pairs are left."""
    parts = [told.sentence if is_only else f"{told.judge}: {told.sentence}"]
    if told.wavering:
        parts.append(
            f"In {told.wavering} of {many(told.judged, 'pair')} the verdict changed with the order "
            "of the answers; those are ties."
        )
    if told.silent:
        parts.append(f"Of {many(told.silent, 'pair')} no verdict could be read.")
    if told.left:
        parts.append(f"{told.judged} of {many(told.pairs, 'pair')} are judged so far.")
    return " ".join(parts)


def _aside(contest: Contest) -> str:
    """Return a note on how many pairs there are to judge, and which answers were left out."""
    first, second = contest.only
    parts = [
        f"{many(len(contest.pairs), 'pair')} to judge",
        f"{contest.equal} answered alike by both" if contest.equal else "",
        f"{first} answered by A alone" if first else "",
        f"{second} answered by B alone" if second else "",
        f"{contest.neither} by neither" if contest.neither else "",
    ]
    return f"{'; '.join(filter(None, parts))}. Ties: same, both bad, and verdicts that waver."
