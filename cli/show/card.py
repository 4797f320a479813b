"""One agent at a glance: place and action, the plan ahead, habits, counts and numbers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.mind import Mind
from smolville.agents.persona import Persona
from smolville.agents.plan import Block
from smolville.agents.times import date_text, day_of, minute_of, moment
from smolville.agents.wording import format_count
from smolville.cli.show.plan import now_of, plain_block
from smolville.cli.show.town import doing, plain_presence
from smolville.graphs.frame.life import Life, format_duties, format_habits, life_of
from smolville.graphs.sense.check import ENGLISH
from smolville.history.counts import Counts
from smolville.prompts.folder import language_of
from smolville.reports.health import format_kinds
from smolville.reports.present import Presence, mind_of, presences
from smolville.reports.runs import OpenRun
from smolville.reports.tally import count_run, plain_counts

if TYPE_CHECKING:
    from rich.console import RenderableType


HOURS_AHEAD = 5
"""Maximum number of plan entries shown on the card."""


@dataclass(frozen=True)
class CardView:
    """One agent at a glance (the card), at the watermark: the last tick complete for all agents."""

    run: OpenRun
    persona: Persona
    presence: Presence
    mind: Mind | None
    counts: Counts
    memories: int
    talks: int
    life: Life | None
    """Habits and duties that code has read from the persona; None in a world without dates."""

    def plain(self) -> object:
        """Return the card as plain data."""
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

        from smolville.lab.styled import Text

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
        odd = f"; objected to: {format_kinds(counts.odd_kinds)}" if counts.odd else ""
        return [
            (
                "memory",
                f"{format_count(self.memories, 'memory', 'memories')}, {unrated} not rated yet, "
                f"{format_count(self.talks, 'talk')}",
            ),
            (
                "reflection",
                f"next once {self.persona.reflection_threshold} of importance has gathered: "
                f"{gathered:g} so far",
            ),
            ("steps", f"{counts.steps} in {counts.calls} calls"),
            ("answers", f"{ends}{odd}"),
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
    """Return today's habits and duties, as the planning steps would read them."""
    from smolville.graphs.context import who_of

    if run.start_date is None:
        return None
    language = language_of(run.reader.templates_at(run.tick))
    myself = who_of(persona, mind.currently if mind else persona.currently)
    return life_of(
        myself,
        persona.daily_requirement,
        date_text(run.start_date, day_of(run.at)),
        is_english=language in ENGLISH,
    )
