"""Plans of the day: one person's plan in full, or everybody's plans with later changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.plan import Block, ChangedHour, DayPlan, block_at, changed_hours
from smolville.agents.times import clock, day_of, minute_of
from smolville.reports.present import mind_of
from smolville.reports.runs import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.lab.styled import Text


@dataclass(frozen=True)
class PlanView:
    """A day's plan."""

    run: OpenRun
    name: str
    plan: DayPlan | None
    requirement: str

    def plain(self) -> object:
        """Return the plan with its times."""
        if self.plan is None:
            return {"name": self.name, "plan": None}
        return {
            "name": self.name,
            "day": self.plan.day,
            "wake": clock(self.plan.wake),
            "requirement": self.requirement,
            "strokes": [
                {"start": clock(start), "activity": activity}
                for start, activity in self.plan.strokes
            ],
            "hours": [plain_block(block) for block in self.plan.hours],
            "blocks": [plain_block(block) for block in self.plan.blocks],
            "changed": [
                {
                    "planned": plain_block(hour.planned),
                    "became": [plain_block(block) for block in hour.became],
                }
                for hour in changed_hours(self.plan)
            ],
        }

    def render(self) -> "RenderableType":
        """Return the hours, each with its subtasks below it; the current hour is marked."""
        from rich.console import Group

        from smolville.lab.styled import Text

        if self.plan is None:
            return Text(f"{self.name} has no plan yet.", style="dim")
        day = self.run.day(86_400 * (self.plan.day - 1))
        head = Text.assemble(
            (self.name, "bold"), f" · plan for {day}", (f" · up at {clock(self.plan.wake)}", "dim")
        )
        must = Text(f"Today must hold: {self.requirement}", style="dim")
        changed = [Text(), *_changes(changed_hours(self.plan))]
        return Group(head, must, Text(), *self._lines(self.plan), *(changed[1:] and changed))

    def _lines(self, plan: DayPlan) -> "list[RenderableType]":
        from smolville.lab.styled import Text

        now = now_of(self.run, plan)
        lines: list[RenderableType] = []
        part = ""
        for block in plan.blocks:
            if block.part_of and block.part_of != part:
                lines.append(Text(f"              {block.part_of}", style="dim italic"))
            part = block.part_of
            lines.append(_line(block, is_now=block == now))
        return lines


def plan_view(run: OpenRun, name: str) -> PlanView:
    """Return an agent's plan as of the watermark."""
    mind = mind_of(run.reader, name, run.tick)
    persona = run.town.personas.get(name)
    requirement = persona.daily_requirement if persona else ""
    return PlanView(
        run, name, mind.plan if mind else None, mind.requirement if mind else requirement
    )


@dataclass(frozen=True)
class PlansView:
    """Everybody's plan of the day by the hour, with later changes."""

    run: OpenRun
    plans: Sequence[PlanView]

    def plain(self) -> object:
        """Return everybody's plans."""
        return {"people": [view.plain() for view in self.plans]}

    def render(self) -> "RenderableType":
        """Return a paragraph per person: a line per planned hour, and what replaced it."""
        from rich.console import Group

        from smolville.lab.styled import Text

        parts: list[RenderableType] = []
        for view in self.plans:
            parts += [Text(), *self._of_one(view)] if parts else self._of_one(view)
        return Group(*parts)

    def _of_one(self, view: PlanView) -> "list[RenderableType]":
        """Return the lines of one person."""
        from smolville.lab.styled import Text

        if view.plan is None:
            return [Text(f"{view.name} has no plan yet.", style="dim")]
        day = self.run.day(86_400 * (view.plan.day - 1))
        lines: list[RenderableType] = [
            Text.assemble((view.name, "bold"), f" · plan for {day}"),
        ]
        changed = {hour.planned.start: hour for hour in changed_hours(view.plan)}
        now = now_of(self.run, view.plan)
        for hour in view.plan.hours:
            is_now = now is not None and hour.start <= now.start < hour.end
            lines.append(_line(hour, is_now=is_now))
            if hour.start in changed:
                lines += _became(changed[hour.start])
        return lines


def plans_view(run: OpenRun) -> PlansView:
    """Return everybody's plan as of the watermark."""
    return PlansView(run, [plan_view(run, name) for name in run.reader.agents()])


def _changes(changed: Sequence[ChangedHour]) -> "list[RenderableType]":
    """Return the hours that went otherwise than planned: the plan, and what replaced it."""
    from smolville.lab.styled import Text

    lines: list[RenderableType] = []
    for hour in changed:
        lines += [_line(hour.planned, is_now=False), *_became(hour)]
    return [Text("Planned otherwise in the morning:", style="dim"), *lines] if lines else []


def _became(hour: ChangedHour) -> "list[Text]":
    """Return a line for each block that replaced a planned hour."""
    from smolville.lab.styled import Text

    return [
        Text(f"      → {block.span()}  {block.activity}", style="yellow") for block in hour.became
    ]


def now_of(run: OpenRun, plan: DayPlan) -> Block | None:
    """Return the block that holds the watermark; None when the plan is for another day."""
    if day_of(run.at) != plan.day or not plan.blocks:
        return None
    return block_at(plan.blocks, minute_of(run.at))


def plain_block(block: Block) -> dict[str, object]:
    """Return a block as plain data."""
    spot = block.spot
    return {
        "start": clock(block.start),
        "end": clock(block.end),
        "minutes": block.minutes,
        "activity": block.activity,
        "part_of": block.part_of,
        "place": spot.place if spot else None,
        "emoji": spot.emoji if spot else None,
        "fallback": block.fallback or bool(spot and spot.fallback),
        "source": block.source,
        "nowhere": bool(spot and spot.nowhere),
    }


def _line(block: Block, *, is_now: bool) -> "RenderableType":
    from smolville.lab.styled import Text

    indent = "  " if block.part_of else ""
    spot = block.spot
    line = Text(no_wrap=False)
    line.append("▸ " if is_now else "  ", "cyan")
    line.append(block.span(), "bold cyan" if is_now else "cyan" if not indent else "dim")
    line.append(f"  {indent}{block.activity}", "bold" if is_now else "")
    if block.source:
        line.append(f" ({block.source})", "dim")
    if block.fallback or (spot and spot.fallback):
        line.append(" (fallback)", "yellow")
    if spot and spot.nowhere:
        line.append(" (nowhere)", "yellow")
    if spot is not None:
        line.append(f"  {spot.place}", "dim")
        line.append(f" {spot.emoji}")
    return line
