"""Somebody's goals and how they were revised: before, after, and the reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.goals import Goal, GoalChange
from agents.times import moment
from reports.present import mind_of
from reports.runs import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class GoalsView:
    """One agent's goals and their revisions, oldest first."""

    name: str
    goals: tuple[Goal, ...]
    changes: tuple[GoalChange, ...]
    texts: Mapping[str, str]
    """Memory id to its text."""

    def plain(self) -> object:
        """Return the goals, and an object per revision."""
        return {
            "name": self.name,
            "goals": [{"text": each.text, "since": moment(each.since)} for each in self.goals],
            "changes": [
                {
                    "time": moment(each.at),
                    "kind": each.kind,
                    "before": each.before,
                    "after": each.after,
                    "reason": each.reason,
                    "because": [
                        {"id": memory, "text": self.texts.get(memory, "")}
                        for memory in each.because
                    ],
                }
                for each in self.changes
            ],
        }

    def render(self) -> "RenderableType":
        """Return the goals, then each revision as a difference with its reason."""
        from rich.console import Group

        from lab.styled import Text

        lines = [Text.assemble((self.name, "bold"), " · goals")]
        lines += [
            Text.assemble((moment(each.since), "dim"), f"  {each.text}") for each in self.goals
        ]
        if not self.goals:
            lines.append(Text("none now", style="dim"))
        for each in self.changes:
            lines += [Text(), Text.assemble((moment(each.at), "cyan"), f"  {each.kind}")]
            lines += [Text(f"- {each.before}", style="red")] if each.before else []
            lines += [Text(f"+ {each.after}", style="green")] if each.after else []
            lines += [Text(f"  {each.reason}", style="italic")] if each.reason else []
            lines += [
                Text(f"  because of: {self.texts.get(memory, memory)}", style="dim")
                for memory in each.because
            ]
        return Group(*lines)


def goals_view(run: OpenRun, name: str) -> GoalsView:
    """Return an agent's goals as of the watermark."""
    mind = mind_of(run.reader, name, run.tick)
    if mind is None:
        return GoalsView(name, (), (), {})
    ids = [memory for each in mind.goal_changes for memory in each.because]
    return GoalsView(name, mind.goals, mind.goal_changes, run.reader.memory_texts(ids))
