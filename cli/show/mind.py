"""An agent's memories, the places they know, and what they think of others."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from smolville.agents.memory import Memory, MemoryKind
from smolville.agents.mind import Impression, KnownPlace, Mind
from smolville.agents.persona import Persona
from smolville.agents.places import sector_of, split_address
from smolville.agents.times import moment
from smolville.agents.wording import format_count
from smolville.cli.show.town import doing, plain_presence
from smolville.cli.tables import to_the_minute
from smolville.reports.present import Presence, in_sight, mind_of, presences
from smolville.reports.runs import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.lab.styled import Text

KINDS: tuple[str, ...] = get_args(MemoryKind)


@dataclass(frozen=True)
class MemoriesView:
    """The memories of one agent, oldest first."""

    run: OpenRun
    name: str
    memories: list[Memory]
    """All memories; only those of `kind` are shown, and those on which they are based."""
    kind: str | None

    def plain(self) -> object:
        """Return a list with an object per memory."""
        return [_plain_memory(memory) for memory in self._chosen()]

    def _chosen(self) -> list[Memory]:
        return [each for each in self.memories if self.kind in (None, each.kind)]

    def render(self) -> "RenderableType":
        """Return a line per memory, with the numbers of the memories that are its evidence.

        If only one kind is shown, the evidence is shown below each memory.
        """
        from rich.console import Group
        from rich.table import Table

        from smolville.lab.styled import Text

        what = f"{self.kind} memories" if self.kind else "memories"
        chosen = self._chosen()
        head = Text.assemble((self.name, "bold"), f" · {len(chosen)} {what}")
        note = Text("importance marked ~ is provisional, not rated yet", style="dim")
        texts = {memory.id: memory.text for memory in self.memories}
        numbers = {memory.id: number for number, memory in enumerate(self.memories, 1)}
        table = Table.grid(padding=(0, 2))
        for style in ("dim", "dim", "cyan", "dim"):
            table.add_column(style=style, no_wrap=True, justify="right")
        table.add_column(style="dim", no_wrap=True)
        table.add_column()
        for memory in chosen:
            text = Text(memory.text)
            if memory.strength > 1:
                text.append(f"  ×{memory.strength}", "dim")
            based = [each for each in memory.evidence if each in numbers]
            if self.kind is not None:
                for each in based:
                    text.append(f"\n  because of #{numbers[each]}: {texts[each]}", "dim")
            elif based:
                told = ", ".join(f"#{numbers[each]}" for each in based)
                text.append(f"  because of {told}", "dim")
            table.add_row(
                f"#{numbers[memory.id]}",
                to_the_minute(memory.created),
                weight(memory),
                f"seen {to_the_minute(memory.accessed)}",
                memory.kind,
                text,
            )
        return Group(head, note, Text(), table)


def memories_view(run: OpenRun, name: str, kind: str | None = None) -> MemoriesView:
    """Return an agent's memories, all or of one kind, as of the watermark."""
    memories = run.reader.memories(name, run.tick)
    return MemoriesView(run, name, memories, kind)


def weight(memory: Memory) -> str:
    """Return the importance that recall uses for a memory; `~` marks a provisional value."""
    return f"{memory.weight:g}" if memory.importance is not None else f"~{memory.weight:g}"


def _plain_memory(memory: Memory) -> dict[str, object]:
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "created": memory.created,
        "time": moment(memory.created),
        "accessed": memory.accessed,
        "importance": memory.weight,
        "provisional": memory.importance is None,
        "triple": [memory.subject, memory.predicate, memory.object],
        "keywords": list(memory.keywords),
        "expires": memory.expires,
        "evidence": list(memory.evidence),
        "depth": memory.depth,
        "strength": memory.strength,
    }


@dataclass(frozen=True)
class PlacesView:
    """Where one agent is, and the places that the agent knows."""

    run: OpenRun
    presence: Presence
    known: dict[str, KnownPlace]
    near: tuple[str, ...] = ()
    """Who is in sight, the nearest first."""

    def plain(self) -> object:
        """Return the agent's place, and every place that the agent knows with its objects."""
        return {
            **plain_presence(self.presence),
            "near": list(self.near),
            "known": [
                {
                    "address": address,
                    "objects": list(place.objects),
                    "states": dict(place.states),
                    "seen": None if place.seen < 0 else moment(place.seen),
                }
                for address, place in sorted(self.known.items())
            ],
        }

    def render(self) -> "RenderableType":
        """Return the tree of known places."""
        from rich.console import Group
        from rich.tree import Tree

        from smolville.lab.styled import Text

        each = self.presence
        where = f"tile {each.tile[0]},{each.tile[1]}" if each.tile else "nowhere yet"
        head = Text.assemble((each.name, "bold"), f" · {where} · {each.place} · {doing(each)}")
        sight = f"in sight: {', '.join(self.near)}" if self.near else "nobody in sight"
        tree = Tree(Text(f"knows {len(self.known)} places", style="dim"), guide_style="dim")
        branches: dict[str, Tree] = {}
        for address in sorted(self.known):
            sector = sector_of(address)
            if sector not in branches:
                branches[sector] = tree.add(Text(sector, style="bold"))
            branches[sector].add(_room(address, self.known[address]))
        return Group(head, Text(sight), Text(), tree)


def places_view(run: OpenRun, name: str) -> PlacesView:
    """Return where an agent is, and the places that the agent knows, as of the watermark."""
    with run.reader.snapshot():
        people = presences(run.reader, run.town.map, run.tick)
        mind = mind_of(run.reader, name, run.tick)
        presence = next(each for each in people if each.name == name)
        near = in_sight(people, name, run.persona(name).vision)
        return PlacesView(run, presence, mind.places if mind else {}, near)


def _room(address: str, place: KnownPlace) -> "Text":
    """Return a room with its objects and their states as last seen."""
    from smolville.lab.styled import Text

    states = dict(place.states)
    room = Text(": ".join(split_address(address)[1:]) or "everywhere")
    things = [f"{thing} ({states[thing]})" if thing in states else thing for thing in place.objects]
    if things:
        room.append(f"  {', '.join(things)}", "dim")
    room.append(
        f"  seen {to_the_minute(place.seen)}" if place.seen >= 0 else "  not seen yet", "cyan"
    )
    return room


@dataclass(frozen=True)
class SocialView:
    """What one agent thinks of the others."""

    persona: Persona
    mind: Mind | None

    def plain(self) -> object:
        """Return the name, and a list with an object per person known or met."""
        return {"name": self.persona.name, "others": [self._plain(name) for name in self._others()]}

    def render(self) -> "RenderableType":
        """Return a few lines per person."""
        from rich.console import Group
        from rich.table import Table

        from smolville.lab.styled import Text

        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold", no_wrap=True)
        table.add_column()
        for name in self._others():
            table.add_row(name, self._text(name))
        head = Text.assemble((self.persona.name, "bold"), f" · {len(self._others())} people")
        return Group(head, Text(), table)

    def _others(self) -> list[str]:
        """Return everybody whom the agent knows, first those whom the agent has talked with."""
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
            "closeness": seen.closeness if seen else None,
            "course": [
                {"time": moment(at), "closeness": value}
                for at, value in (seen.course if seen else ())
            ],
            "shared": [
                {"time": moment(at), "text": text} for at, text in (seen.shared if seen else ())
            ],
            "talked": _format_moment(mind.talked.get(name) if mind else None),
            "considered": _format_moment(mind.considered.get(name) if mind else None),
            "at_first": self.persona.relationships.get(name, ""),
        }

    def _relationship(self, name: str) -> str:
        seen = self.mind.impressions.get(name) if self.mind else None
        return seen.relationship if seen else self.persona.relationships.get(name, "")

    def _text(self, name: str) -> "RenderableType":
        from smolville.lab.styled import Text

        mind = self.mind
        text = Text(self._relationship(name) or "not known yet")
        seen = mind.impressions.get(name) if mind else None
        if seen is not None:
            text.append(f"\n{seen.feeling}", "italic")
            talks = format_count(seen.talks, "talk")
            text.append(f"\n{talks}; last: {seen.summary}", "dim")
            for at, told in reversed(seen.shared):
                text.append(f"\n{to_the_minute(at)}: {told}", "dim")
            if seen.closeness is not None:
                text.append(f"\n{_format_closeness(seen)}", "cyan")
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


def _format_closeness(seen: Impression) -> str:
    """Return a phrase: the present closeness, its first value, and its latest five values."""
    first, *later = (f"{value:.2f}" for _, value in seen.course)
    course = " → ".join((first, *(("…",) if len(later) > 5 else ()), *later[-5:]))
    return f"closeness {seen.closeness:.2f} ({course})"


def _format_moment(at: int | None) -> str | None:
    return None if at is None else moment(at)
