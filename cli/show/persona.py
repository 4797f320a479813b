"""A persona as stored in the run, and the fixed points of people's days, such as meals and work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.persona import Persona
from smolville.agents.times import date_text, day_of
from smolville.graphs.context import who_of
from smolville.graphs.frame.sources import FixedPoint, fixed_points
from smolville.graphs.sense.check import ENGLISH
from smolville.prompts.folder import language_of
from smolville.reports.present import mind_of
from smolville.reports.runs import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


TOLD = ("innate", "learned", "lifestyle", "daily_requirement", "home", "work")
"""The texts of a persona that are shown."""


@dataclass(frozen=True)
class PersonaView:
    """A persona, which never changes, and the fixed points of today, as read from the persona."""

    persona: Persona
    day: str
    """The date of the watermark; empty in a world without dates."""
    language: str
    points: tuple[FixedPoint, ...]

    def plain(self) -> object:
        """Return the persona file's fields, and the fixed points."""
        return {
            **self.persona.model_dump(mode="json"),
            "day": self.day,
            "language": self.language,
            "fixed_points": [each.plain() for each in self.points],
        }

    def render(self) -> "RenderableType":
        """Return the persona as a page."""
        from rich.console import Group
        from rich.table import Table

        from smolville.lab.styled import Text

        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column()
        for name in TOLD:
            if text := getattr(self.persona, name):
                table.add_row(name.replace("_", " "), Text(text))
        head = Text.assemble((self.persona.name, "bold"), f", {self.persona.age}")
        lines: list[RenderableType] = [head, Text(), table]
        if self.points:
            words = "" if self.language in ENGLISH else f"; words in {self.language!r} are not read"
            about = Text(f"What stands on {self.day}, and where it was read{words}:")
            lines += [Text(), about, habits_table(self.points)]
        return Group(*lines)


def persona_view(run: OpenRun, name: str) -> PersonaView:
    """Return somebody's persona, with today's fixed points as planning reads them."""
    persona, mind = run.persona(name), mind_of(run.reader, name, run.tick)
    language = language_of(run.reader.templates_at(run.tick))
    date = "" if run.start_date is None else date_text(run.start_date, day_of(run.at))
    points = fixed_points(
        who_of(persona, mind.currently if mind else persona.currently),
        persona.daily_requirement,
        [date] if date else [],
        is_english=language in ENGLISH,
    )
    return PersonaView(persona, date, language, points if date else ())


@dataclass(frozen=True)
class HabitsView:
    """The fixed points of several people's days."""

    people: Mapping[str, Sequence[FixedPoint]]

    def plain(self) -> object:
        """Return each person's fixed points, by name."""
        return {name: [each.plain() for each in points] for name, points in self.people.items()}

    def render(self) -> "RenderableType":
        """Return a table for each person."""
        from rich.console import Group

        from smolville.lab.styled import Text

        lines: list[RenderableType] = []
        for name, points in self.people.items():
            lines += [Text(), Text(name, style="bold"), habits_table(points)]
        return Group(*lines)


def habits_table(points: Sequence[FixedPoint]) -> "Table":
    """Return a table with a row per fixed point of somebody's days."""
    from rich.table import Table

    from smolville.lab.styled import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    for each in points:
        days = f" ({', '.join(day[:3] for day in each.days)})" if each.days else ""
        style = "yellow" if each.source == "usual" else "dim"
        origin = Text(each.origin(), style=style)
        table.add_row(Text(each.name), Text(each.time), Text(each.activity + days), origin)
    return table
