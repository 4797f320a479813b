"""Where an agent is, and the places they know: their spatial memory as a tree."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.mind import KnownPlace
from agents.places import sector_of, split_address
from agents.times import moment
from cli.show.town import doing, plain_presence
from cli.town_times import to_the_minute
from reports.opening import OpenRun
from reports.present import Presence, mind_of, presences

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lab.styled import Text


@dataclass(frozen=True)
class PlacesView:
    """One agent's place and place memory."""

    run: OpenRun
    presence: Presence
    known: dict[str, KnownPlace]

    def plain(self) -> object:
        """Return the place, and every known one with its objects."""
        return {
            **plain_presence(self.presence),
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

        from lab.styled import Text

        each = self.presence
        where = f"tile {each.tile[0]},{each.tile[1]}" if each.tile else "nowhere yet"
        head = Text.assemble((each.name, "bold"), f" · {where} · {each.place} · {doing(each)}")
        tree = Tree(Text(f"knows {len(self.known)} places", style="dim"), guide_style="dim")
        branches: dict[str, Tree] = {}
        for address in sorted(self.known):
            sector = sector_of(address)
            if sector not in branches:
                branches[sector] = tree.add(Text(sector, style="bold"))
            branches[sector].add(_room(address, self.known[address]))
        return Group(head, Text(), tree)


def places_view(run: OpenRun, name: str) -> PlacesView:
    """Return an agent's place and place memory as of the watermark."""
    with run.reader.snapshot():
        people = presences(run.reader, run.town.map, run.tick)
        mind = mind_of(run.reader, name, run.tick)
        presence = next(each for each in people if each.name == name)
        return PlacesView(run, presence, mind.places if mind else {})


def _room(address: str, place: KnownPlace) -> "Text":
    """Return a room with its objects, and what was seen of them."""
    from lab.styled import Text

    states = dict(place.states)
    room = Text(": ".join(split_address(address)[1:]) or "everywhere")
    things = [f"{thing} ({states[thing]})" if thing in states else thing for thing in place.objects]
    if things:
        room.append(f"  {', '.join(things)}", "dim")
    room.append(
        f"  seen {to_the_minute(place.seen)}" if place.seen >= 0 else "  not seen yet", "cyan"
    )
    return room
