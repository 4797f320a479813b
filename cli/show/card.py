"""An agent's card, and their plan for the day."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.mind import Mind
from agents.persona import Persona
from agents.plan import Block, DayPlan, block_at
from agents.times import clock, date_text, day_of, minute_of, moment
from agents.wording import format_count
from cli.show.town import doing, plain_presence
from graphs.frame.life import Life, format_duties, format_habits, life_of
from graphs.sense.check import ENGLISH
from history.counts import Counts
from prompts.folder import language_of
from reports.health import format_kinds
from reports.present import Presence, mind_of, presences
from reports.runs import OpenRun
from reports.tally import count_run, plain_counts

if TYPE_CHECKING:
    from rich.console import RenderableType


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
        }

    def render(self) -> "RenderableType":
        """Return the hours with their subtasks beneath, the current one marked."""
        from rich.console import Group

        from lab.styled import Text

        if self.plan is None:
            return Text(f"{self.name} has no plan yet.", style="dim")
        day = self.run.day(86_400 * (self.plan.day - 1))
        head = Text.assemble(
            (self.name, "bold"), f" · plan for {day}", (f" · up at {clock(self.plan.wake)}", "dim")
        )
        must = Text(f"Today must hold: {self.requirement}", style="dim")
        return Group(head, must, Text(), *self._lines(self.plan))

    def _lines(self, plan: DayPlan) -> "list[RenderableType]":
        from lab.styled import Text

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
    from lab.styled import Text

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


HOURS_AHEAD = 5
"""Maximum number of plan entries shown on the card."""


@dataclass(frozen=True)
class CardView:
    """The card of one agent at the watermark, the last tick that is complete for all."""

    run: OpenRun
    persona: Persona
    presence: Presence
    mind: Mind | None
    counts: Counts
    memories: int
    talks: int
    life: Life | None
    """Habits and duties that code has read from the persona; None for non-English templates."""

    def plain(self) -> object:
        """Return the card."""
        mind = self.mind
        plan = mind.plan if mind else None
        return {
            **plain_presence(self.presence),
            "time": moment(self.run.at),
            "age": self.persona.age,
            "innate": self.persona.innate,
            "home": self.persona.home,
            "work": self.persona.work,
            "currently": mind.currently if mind else self.persona.currently,
            "requirement": mind.requirement if mind else self.persona.daily_requirement,
            "habits": format_habits(self.life) if self.life else None,
            "duties": format_duties(self.life.duties) if self.life else None,
            "plan": [plain_block(block) for block in plan.hours] if plan else [],
            "memories": self.memories,
            "talks": self.talks,
            "unrated": len(mind.unrated) if mind else 0,
            "gathered": mind.gathered if mind else 0,
            "reflection_threshold": self.persona.reflection_threshold,
            "known_places": len(mind.places) if mind else 0,
            "counts": plain_counts(self.counts),
        }

    def render(self) -> "RenderableType":
        """Return the card as a page."""
        from rich.console import Group
        from rich.table import Table

        from lab.styled import Text

        persona, mind = self.persona, self.mind
        head = Text.assemble(
            (persona.name, "bold"),
            f", {persona.age}, {persona.innate}",
            (f" · {self.run.format_time(self.run.at)}", "dim"),
        )
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column()
        place = f" · {self.presence.place}" if self.presence.place else ""
        table.add_row("now", f"{doing(self.presence)}{place}")
        for number, block in enumerate(self._ahead()):
            table.add_row("then" if not number else "", f"{block.span()}  {block.activity}")
        currently = mind.currently if mind else persona.currently
        table.add_row("currently", currently)
        table.add_row("today", mind.requirement if mind else persona.daily_requirement)
        if self.life is not None:
            table.add_row("habits", format_habits(self.life))
            if self.life.duties:
                table.add_row("duties", format_duties(self.life.duties))
        table.add_row("home, work", " · ".join(filter(None, (persona.home, persona.work))))
        for key, text in self._numbers():
            table.add_row(key, text)
        return Group(head, Text(), table)

    def _ahead(self) -> list[Block]:
        """Return the hours still to come today."""
        plan = self.mind.plan if self.mind else None
        if plan is None or now_of(self.run, plan) is None:
            return []
        return [hour for hour in plan.hours if hour.start > minute_of(self.run.at)][:HOURS_AHEAD]

    def _numbers(self) -> list[tuple[str, str]]:
        mind = self.mind
        gathered = mind.gathered if mind else 0
        unrated = len(mind.unrated) if mind else 0
        counts = self.counts
        ends = ", ".join(f"{number} {end}" for end, number in counts.outcomes.items())
        odd = f", {counts.odd} odd ({format_kinds(counts.odd_kinds)})" if counts.odd else ""
        return [
            (
                "memory",
                f"{format_count(self.memories, 'memory', 'memories')}, {unrated} not rated yet, "
                f"{format_count(self.talks, 'talk')}",
            ),
            ("reflection", f"{gathered:g} of {self.persona.reflection_threshold} gathered"),
            ("steps", f"{counts.steps} in {counts.calls} calls: {counts.sensible} sensible{odd}"),
            ("answers", ends),
        ]


def card_view(run: OpenRun, name: str) -> CardView:
    """Return an agent's card as of the watermark."""
    with run.reader.snapshot():
        people = presences(run.reader, run.town.map, run.tick)
        persona, mind = run.persona(name), mind_of(run.reader, name, run.tick)
        return CardView(
            run=run,
            persona=persona,
            presence=next(each for each in people if each.name == name),
            mind=mind,
            counts=count_run(run.reader).of_agents.get(name, Counts.summed(())),
            memories=len(run.reader.memories(name, run.tick)),
            talks=len(run.reader.talks(name, until=run.tick)),
            life=_life(run, persona, mind),
        )


def _life(run: OpenRun, persona: Persona, mind: Mind | None) -> Life | None:
    """Return today's habits and duties, as planning would read them."""
    from graphs.context import who_of

    language = language_of(run.reader.templates_at(run.tick))
    if run.start_date is None or language not in ENGLISH:
        return None
    requirement = mind.requirement if mind else persona.daily_requirement
    myself = who_of(persona, mind.currently if mind else persona.currently)
    return life_of(myself, requirement, date_text(run.start_date, day_of(run.at)))
