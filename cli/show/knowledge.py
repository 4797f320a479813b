"""A person's knowledge graph, and the whole place tree with the state of its objects."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.places import OUTDOORS, object_of
from smolville.agents.times import moment
from smolville.agents.wording import format_count
from smolville.cli.tables import to_the_minute
from smolville.graphs.knowledge import Fact, facts_of, sizes
from smolville.reports.present import Presence, presences
from smolville.reports.runs import OpenRun

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

MOST = 8
"""Maximum number of relations and notes shown per name, the latest ones; the JSON output has
all."""


@dataclass(frozen=True)
class KnowledgeView:
    """The knowledge graph of one agent."""

    name: str
    facts: Sequence[Fact]

    def plain(self) -> object:
        """Return the name, the size of the graph, and every fact."""
        return {
            "name": self.name,
            **sizes(self.facts),
            "facts": [
                {
                    "subject": each.subject,
                    "relation": each.relation,
                    "object": each.object,
                    "time": None if each.at < 0 else moment(each.at),
                    "memory": each.memory,
                }
                for each in self.facts
            ],
        }

    def render(self) -> "RenderableType":
        """Return a tree: the names with the most facts, each with its facts."""
        from rich.console import Group
        from rich.tree import Tree

        from smolville.lab.styled import Text

        count = sizes(self.facts)
        told = (
            f"{format_count(count['names'], 'name')}, "
            f"{format_count(count['relations'], 'relation')}"
        )
        head = Text.assemble((self.name, "bold"), f" · knows {told}")
        tree = Tree(Text("by how much is known", style="dim"), guide_style="dim")
        known = Counter(fact.subject for fact in self.facts)
        for name, _ in sorted(known.items(), key=lambda each: (-each[1], each[0])):
            self._add(tree, name)
        return Group(head, Text(), tree)

    def _add(self, tree: "Tree", name: str) -> None:
        """Add a name with its facts, each once, the latest first."""
        from smolville.lab.styled import Text

        said = Counter((fact.relation, fact.object) for fact in self.facts if fact.subject == name)
        last = {(fact.relation, fact.object): fact.at for fact in self.facts}
        branch = tree.add(Text(name, style="bold"))
        order = sorted(said, key=lambda each: (-last[each], each))
        for relation, thing in order[:MOST]:
            at = last[relation, thing]
            line = Text(f"{relation} → {thing}" if thing else relation)
            times = f", {said[relation, thing]} times" if said[relation, thing] > 1 else ""
            line.append("  at first" if at < 0 else f"  {to_the_minute(at)}{times}", "dim")
            branch.add(line)
        if len(order) > MOST:
            branch.add(Text(f"and {len(order) - MOST} more", style="dim"))


def knowledge_view(run: OpenRun, name: str) -> KnowledgeView:
    """Return an agent's knowledge as of the watermark."""
    return KnowledgeView(name, facts_of(run.persona(name), run.reader.memories(name, run.tick)))


@dataclass(frozen=True)
class PlaceTreeView:
    """Every place of the town, with the state of each object and who is there."""

    run: OpenRun
    people: Sequence[Presence]
    states: dict[str, str]
    """State of every object, by address."""

    def plain(self) -> object:
        """Return the sectors, their arenas, and the objects, states and people of each arena."""
        town_map = self.run.town.map
        return {
            sector: {
                arena.address: {
                    "objects": {
                        thing.name: self.states[thing.address]
                        for thing in town_map.objects_in(arena.address)
                    },
                    "people": self._people(arena.address),
                }
                for arena in town_map.arenas_in(sector)
            }
            for sector in town_map.sectors
        } | {OUTDOORS: {OUTDOORS: {"objects": {}, "people": self._people(OUTDOORS)}}}

    def render(self) -> "RenderableType":
        """Return the tree; a state that differs from the usual one stands out."""
        from rich.console import Group
        from rich.tree import Tree

        from smolville.lab.styled import Text

        town_map = self.run.town.map
        tree = Tree(Text(self.run.folder.spec.town_name, style="bold cyan"), guide_style="dim")
        for sector in town_map.sectors:
            house = tree.add(Text(sector, style="bold"))
            for arena in town_map.arenas_in(sector):
                line = Text(arena.name)
                if people := self._people(arena.address):
                    line.append(f"  {', '.join(people)}", "cyan")
                room = house.add(line)
                for thing in town_map.objects_in(arena.address):
                    state = self.states[thing.address]
                    is_usual = state == thing.idle_state
                    room.add(
                        Text.assemble(
                            object_of(thing.address), (f"  {state}", "dim" if is_usual else "bold")
                        )
                    )
        if people := self._people(OUTDOORS):
            tree.add(Text.assemble((OUTDOORS, "bold"), (f"  {', '.join(people)}", "cyan")))
        return Group(Text(self.run.format_time(self.run.at), style="bold"), tree)

    def _people(self, arena: str) -> list[str]:
        return [each.name for each in self.people if each.place == arena]


def tree_view(run: OpenRun) -> PlaceTreeView:
    """Return the whole place tree as of the watermark."""
    with run.reader.snapshot():
        town_map = run.town.map
        states = run.reader.object_states(run.tick)
        return PlaceTreeView(
            run=run,
            people=presences(run.reader, town_map, run.tick),
            states={
                address: states[address].state if address in states else thing.idle_state
                for address, thing in town_map.objects.items()
            },
        )
