"""What went wrong, by reason: how often, where most, one example, and where to look."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from agents.times import moment
from agents.wording import visible_line
from cli.options import command
from lab.tracing.naming import thought_digits
from reports.health import Health, sense_told
from reports.reasons import Reason, StepProblem

if TYPE_CHECKING:
    from rich.console import RenderableType

LOST = ("timeout", "lost")
"""Reasons that may belong to a thought that was never finished."""
LONGEST = 200
"""Maximum length of an example, in characters; the JSON output has it whole."""
MOST_NAMED = 3
"""Maximum number of steps or agents named, the most frequent first; JSON output has all."""


@dataclass(frozen=True)
class ReasonsView:
    """The reasons why answers went wrong in a run, formatted for the terminal."""

    found: Health
    reasons: list[Reason]
    runs: Path
    run: str
    tick_seconds: int

    def plain(self) -> object:
        """Return the whole ledger with the reasons added."""
        ledger = self.found.plain()
        return ledger | {"reasons": {each.key: self._plain(each) for each in self.reasons}}

    def render(self) -> "RenderableType":
        """Return the page: a line per reason, with an example beneath."""
        from rich.console import Group
        from rich.padding import Padding

        from lab.styled import Text

        total = self.found.total
        parts: list[RenderableType] = [Text(sense_told(total), style="bold")]
        if not self.reasons and total.recorded:
            parts.append(Text("Nothing went wrong." if total.steps else "Nothing is wrong so far."))
        for reason in self.reasons:
            count = (f"{reason.count:,}", "bold yellow")
            head = Text.assemble((reason.title, "bold"), ": ", count, "  ")
            told = [_most(names) for names in (reason.by_step, reason.by_agent) if names]
            head.append(" · ".join(told), "dim")
            example = visible_line(shorten(reason.example.sentence, LONGEST, placeholder=" …"))
            where = Text(f"{moment(self._second(reason.example))}  ", style="cyan")
            # Never wrapped: these lines are meant to be copied.
            look = Text(f"  {self._look(reason.example)}", "dim", no_wrap=True, overflow="ignore")
            told_so = Padding(where.append(example, "not cyan"), (0, 0, 0, 2), expand=False)
            parts += [Text(), head, told_so, look]
        return Group(*parts)

    def _plain(self, reason: Reason) -> dict[str, object]:
        example = reason.example
        return {
            "title": reason.title,
            "count": reason.count,
            "by_step": dict(reason.by_step.most_common()),
            "by_agent": dict(reason.by_agent.most_common()),
            "example": {
                "agent": example.agent,
                "step": example.step,
                "time": moment(self._second(example)),
                "sentence": example.sentence,
                "look": self._look(example),
            },
        }

    def _second(self, finding: StepProblem) -> int:
        return finding.tick * self.tick_seconds

    def _look(self, finding: StepProblem) -> str:
        """Return the command that shows where it happened or, for a lost call, around when."""
        if finding.reason not in LOST:
            digits = thought_digits(finding.owner, finding.tick)
            return command(self.runs, "trace", self.run, digits)
        what = "--talks" if finding.is_talk else "--thoughts"
        return command(self.runs, "show", self.run, finding.agent, what)


def _most(names: Counter[str]) -> str:
    """Return the most frequent names: `plan_day 3, react 2 and 4 more`."""
    told = [f"{name} {number}" for name, number in names.most_common(MOST_NAMED)]
    more = len(names) - MOST_NAMED
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")
