"""What an agent thinks of others: impressions, relationships, and when they last met."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.mind import Mind
from agents.persona import Persona
from agents.times import moment
from cli.town_times import to_the_minute
from reports.opening import OpenRun
from reports.present import mind_of

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class SocialView:
    """One agent's view of the others."""

    persona: Persona
    mind: Mind | None

    def plain(self) -> object:
        """Return the name, and a list with an object per person known or met."""
        return {"name": self.persona.name, "others": [self._plain(name) for name in self._others()]}

    def render(self) -> "RenderableType":
        """Return a few lines per person."""
        from rich.console import Group
        from rich.table import Table

        from lab.styled import Text

        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold", no_wrap=True)
        table.add_column()
        for name in self._others():
            table.add_row(name, self._text(name))
        head = Text.assemble((self.persona.name, "bold"), f" · {len(self._others())} people")
        return Group(head, Text(), table)

    def _others(self) -> list[str]:
        """Return everybody known, those talked with first."""
        mind = self.mind
        met = [] if mind is None else [*mind.impressions, *mind.talked, *mind.considered]
        return list(dict.fromkeys([*met, *self.persona.relationships]))

    def _plain(self, name: str) -> dict[str, object]:
        mind = self.mind
        seen = mind.impressions.get(name) if mind else None
        return {
            "name": name,
            "relationship": self._relationship(name),
            "feeling": seen.feeling if seen else "",
            "last_talk": seen.summary if seen else "",
            "talks": seen.talks if seen else 0,
            "talked": _when(mind.talked.get(name) if mind else None),
            "considered": _when(mind.considered.get(name) if mind else None),
            "at_first": self.persona.relationships.get(name, ""),
        }

    def _relationship(self, name: str) -> str:
        seen = self.mind.impressions.get(name) if self.mind else None
        return seen.relationship if seen else self.persona.relationships.get(name, "")

    def _text(self, name: str) -> "RenderableType":
        from lab.styled import Text

        mind = self.mind
        text = Text(self._relationship(name) or "not known yet")
        seen = mind.impressions.get(name) if mind else None
        if seen is not None:
            text.append(f"\n{seen.feeling}", "italic")
            text.append(f"\n{seen.talks} talks; last: {seen.summary}", "dim")
        moments = [
            f"{what} {to_the_minute(when[name])}"
            for what, when in (
                ("last talked", mind.talked if mind else {}),
                ("last considered", mind.considered if mind else {}),
            )
            if name in when
        ]
        if moments:
            text.append(f"\n{', '.join(moments)}", "cyan")
        return text


def social_view(run: OpenRun, name: str) -> SocialView:
    """Return what an agent thinks of others as of the watermark."""
    return SocialView(run.persona(name), mind_of(run.reader, name, run.tick))


def _when(at: int | None) -> str | None:
    return None if at is None else moment(at)
