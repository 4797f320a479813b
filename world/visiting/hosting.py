"""The part of a world that handles visitors: they come, walk, act, talk, call, and leave."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from smolville.agents.action import Action
from smolville.agents.errors import RunError
from smolville.agents.times import Clock
from smolville.graphs.meeting import Guest
from smolville.graphs.surroundings import Intent
from smolville.history.records import Deed, Intervention, Move, Tile
from smolville.world.adapter import Changes
from smolville.world.body_state import STAY_SECONDS, Visitor
from smolville.world.crowd import Crowd
from smolville.world.visiting.wishes import ARRIVING, request_fields, visitor_name

CALLS = "visitor_calls"
TALKS = ("visitor_talks", CALLS)


class VisitorHost:
    """Holds the bodies of visitors among a world's bodies; a world with a map adds their paths."""

    clock: Clock
    figures: Crowd

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all residents."""
        raise NotImplementedError

    @property
    def townspeople(self) -> tuple[str, ...]:
        """Names that no visitor may have."""
        return self.names

    def why_not_talk(self, name: str, other: str, tick: int) -> str:
        """Return why two people cannot talk; empty if they can."""
        raise NotImplementedError

    def way_in(self, name: str, place: str, tick: int) -> tuple[Tile, ...]:
        """Return the path on which a visitor comes to a place; empty if there is none."""
        return ((0, 0),)

    def way_to(self, name: str, place: str, tick: int) -> tuple[Tile, ...]:
        """Return the path on which a visitor goes to a place; empty if there is none."""
        return (self.figures[name].tile,)

    def way_after(self, name: str, other: str, tick: int) -> tuple[Tile, ...]:
        """Return a visitor's path to the place where somebody out of sight is, or will be.

        Empty if there is none, or if the two see each other.
        """
        return ()

    def way_out(self, name: str, tick: int) -> tuple[Tile, ...]:
        """Return the path on which a visitor leaves."""
        return (self.figures[name].tile,)

    def place_at(self, tile: Tile, place: str) -> str:
        """Return the address of a visitor's place after they have walked to one of its tiles."""
        return place

    def visitors(self, tick: int) -> list[Visitor]:
        """Return the visitors that others can meet at a tick."""
        if len(self.figures) == len(self.names):
            return []
        found = (each for each in self.figures.values() if isinstance(each, Visitor))
        return [each for each in found if each.is_here(tick)]

    def guests(self, participants: Sequence[str], tick: int) -> dict[str, Guest]:
        """Return the visitors among the participants of a talk, by name."""
        found: dict[str, Guest] = {}
        for name in participants:
            figure = self.figures.get(name)
            if isinstance(figure, Visitor):
                action = figure.doing(self.clock.at(tick))
                doing = action.activity if action else "calling on the telephone"
                found[name] = Guest(name=name, about=figure.about, doing=doing)
        return found

    def why_not(self, intervention: Intervention) -> str:
        """Return a sentence on why an intervention is impossible; empty if it is possible."""
        if not intervention.kind.startswith("visitor_"):
            return ""
        try:
            why = self._why_not(intervention)
        except RunError as error:
            why = str(error)
        return why

    def must_wait(self, intervention: Intervention) -> bool:
        """Return True while a visitor, or the person to talk with, is in a talk.

        A visitor who is to talk to somebody out of sight waits until both have stopped walking.
        """
        at = self.clock.at(intervention.tick)
        whom = [intervention.target]
        if intervention.kind in TALKS:
            whom.append(_partner(intervention))
        figures = [self.figures[name] for name in whom if name in self.figures]
        if any(figure.is_talking(at) for figure in figures):
            return True
        return intervention.kind == "visitor_talks" and self._is_on_the_way(intervention)

    def walk_before(self, intervention: Intervention) -> Intervention | None:
        """Return the walk that brings a visitor to the person to talk with; None if none is needed.

        The walk leads to where the person is now, even if they have moved.
        """
        name, other, tick = intervention.target, intervention.text, intervention.tick
        visitor = self.figures.get(name)
        if intervention.kind != "visitor_talks" or other not in self.names:
            return None
        if not isinstance(visitor, Visitor) or visitor.left >= 0:
            return None
        is_busy = visitor.is_walking(tick) or visitor.is_talking(self.clock.at(tick))
        if is_busy or self.figures[other].is_asleep():
            return None
        # A path of one tile: the visitor is there already, and waits for who is on the way.
        way = self.way_after(name, other, tick)
        return replace(intervention, kind="visitor_walks") if len(way) > 1 else None

    def holder(self, intervention: Intervention, agents: Sequence[str]) -> str:
        """Return the agent whose cluster sees a visitor's action: the partner in a talk, if any."""
        partner = _partner(intervention) if intervention.kind in TALKS else ""
        return partner if partner in agents else agents[0]

    def visit(self, each: Intervention) -> Changes:
        """Carry out a visitor's request, which `why_not` must have allowed."""
        name, tick = each.target, each.tick
        if each.kind == "visitor_enters":
            details = request_fields(each)
            return self._enter(each, details, self.way_in(name, details["place"], tick))
        if each.kind == CALLS:
            about = request_fields(each)["about"]
            self.figures[name] = Visitor(
                agent=name, tile=(0, 0), about=about, came=tick, left=tick, told=tick
            )
        if each.kind in TALKS:
            visitor = self._visitor(name)
            self.figures[name] = replace(visitor, told=tick)
            return Changes(intents={name: Intent(start_talk=_partner(each))})
        if each.kind == "visitor_acts":
            return self._act(name, each.text, tick)
        if each.kind == "visitor_walks":
            return self._walk_to(name, each.text, self._way_of(each), tick)
        return self._leave_town(name, tick)

    def _is_on_the_way(self, wish: Intervention) -> bool:
        """Return whether a visitor cannot talk to a person yet because one of the two walks."""
        visitor, partner = self.figures.get(wish.target), _partner(wish)
        if not isinstance(visitor, Visitor) or partner not in self.names:
            return False
        both = (visitor, self.figures[partner])
        is_walking = visitor.left < 0 and any(each.is_walking(wish.tick) for each in both)
        return is_walking and bool(self.why_not_talk(wish.target, partner, wish.tick))

    def _way_of(self, walk: Intervention) -> tuple[Tile, ...]:
        """Return the path of a visitor's walk to a place or a person.

        If there is none, the path is the visitor's own tile.
        """
        way = self.way_after if walk.text in self.names else self.way_to
        here = self.figures[walk.target].tile_at(walk.tick, self.clock)
        return way(walk.target, walk.text, walk.tick) or (here,)

    def _why_not(self, each: Intervention) -> str:
        """Return why an intervention is impossible; empty if it is possible.

        For some reasons, RunError is raised instead.
        """
        figure = self.figures.get(each.target)
        is_here = isinstance(figure, Visitor) and figure.left < 0
        if each.kind in ("visitor_enters", CALLS):
            visitor_name(each.target, self.townspeople)
            if figure is not None and (is_here or figure.is_here(each.tick)):
                named = "; ring under another name" if each.kind == CALLS else ""
                return f"{each.target} is in town already{named}."
            return self._why_not_call(each) if each.kind == CALLS else self._why_no_way(each)
        if not is_here:
            return f"{each.target} is not in town."
        if each.kind == "visitor_walks":
            return self._why_no_way(each)
        if each.kind == "visitor_talks":
            if each.text not in self.names:
                return f"nobody called {each.text} lives here."
            if self.figures[each.text].is_asleep():
                return f"{each.text} is asleep."
            why = self.why_not_talk(each.target, each.text, each.tick)
            return f"{why}." if why else ""
        return ""

    def _why_not_call(self, each: Intervention) -> str:
        """Return why somebody cannot be called; empty if they can."""
        agent = _partner(each)
        if agent not in self.names:
            return f"nobody called {agent} lives here."
        return f"{agent} is asleep." if self.figures[agent].is_asleep() else ""

    def _why_no_way(self, each: Intervention) -> str:
        """Return a message that there is no way to a place; empty if there is one."""
        is_new = each.kind == "visitor_enters"
        place = request_fields(each)["place"] if is_new else each.text
        way = (self.way_in if is_new else self.way_to)(each.target, place, each.tick)
        return "" if way else f"there is no way to {place!r}."

    def _enter(
        self, each: Intervention, details: Mapping[str, str], path: tuple[Tile, ...]
    ) -> Changes:
        """Let a visitor enter and walk along a path."""
        place = self.place_at(path[-1], details["place"])
        action = self._action(details["doing"] or ARRIVING, place, each.tick, "🧳")
        self.figures[each.target] = Visitor(
            agent=each.target,
            tile=path[0],
            action=action,
            about=details["about"],
            came=each.tick,
            told=each.tick,
        )
        return self._walk(each.target, path, each.tick, is_first=True)

    def _act(self, name: str, activity: str, tick: int) -> Changes:
        """Let a visitor do something else at their place or while walking."""
        visitor = self._visitor(name)
        before = visitor.doing(self.clock.at(tick))
        action = self._action(activity, before.place if before else "", tick, "🙂")
        self.figures[name] = visitor.acting(action, tick)
        return Changes(deeds=[Deed(agent=name, tick=tick, action=action)])

    def _walk_to(self, name: str, place: str, path: tuple[Tile, ...], tick: int) -> Changes:
        """Let a visitor walk to a place."""
        action = self._action(ARRIVING, self.place_at(path[-1], place), tick, "🚶")
        self.figures[name] = self._visitor(name).acting(action, tick)
        return self._walk(name, path, tick)

    def _leave_town(self, name: str, tick: int) -> Changes:
        """Let a visitor walk out of town; once outside, the visitor is gone."""
        visitor = self._visitor(name)
        path = self.way_out(name, tick)
        left = tick + self.clock.ticks_to_walk(len(path) - 1)
        before = visitor.doing(self.clock.at(tick))
        action = self._action("leaving", before.place if before else "", tick, "👋")
        visitor = replace(visitor.acting(action, tick), left=left)
        self.figures[name] = visitor
        changes = self._walk(name, path, tick)
        if left == tick:
            self.figures[name] = replace(self._visitor(name), action=None)
        return changes

    def _walk(
        self, name: str, path: tuple[Tile, ...], tick: int, *, is_first: bool = False
    ) -> Changes:
        """Start a visitor's walk from where they are."""
        visitor = self._visitor(name)
        assert visitor.action is not None
        moves: list[Move] = []
        if len(path) > 1 or is_first or visitor.is_walking(tick):
            ticks = self.clock.ticks_to_walk(len(path) - 1)
            moves = [Move(agent=name, tick=tick, end_tick=tick + ticks, path=path)]
        walk = moves[0] if len(path) > 1 else None
        self.figures[name] = replace(visitor, tile=path[0], walk=walk)
        self.seen_from(tick, path[0])
        return Changes(moves=moves, deeds=[Deed(agent=name, tick=tick, action=visitor.action)])

    def seen_from(self, tick: int, tile: Tile) -> None:
        """Record that a tile looks different from this tick on."""

    def _action(self, activity: str, place: str, tick: int, emoji: str) -> Action:
        """Return an action of a visitor that begins at a tick."""
        at = self.clock.at(tick)
        return Action(
            kind="do",
            activity=activity,
            place=place,
            start=at,
            end=at + STAY_SECONDS,
            emoji=emoji,
            object=activity,
        )

    def _visitor(self, name: str) -> Visitor:
        """Return a visitor's body."""
        visitor = self.figures[name]
        assert isinstance(visitor, Visitor)
        return visitor


def _partner(each: Intervention) -> str:
    """Return the name of the person with whom a visitor wants to talk."""
    return str(request_fields(each)["agent"]) if each.kind == CALLS else each.text
