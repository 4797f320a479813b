"""The world adapter: the interface between the engine and a world, which may be one of your own.

A tick has four phases. Everybody with a stimulus thinks; the adapter resolves their intents;
granted talks are held; everything is committed. An adapter holds bodies and places, nothing else:
it never calls a model and never sees a mind.

For a world of your own, inherit `World` (`world.one_room` is the shortest example). It keeps
everybody's actions, talks and pending stimuli, visitors included. Your world defines where people
are, what they see, and what they may do.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol

import numpy as np
import numpy.typing as npt

from smolville.agents.action import Action, Talk
from smolville.agents.entities import Happening, Setting
from smolville.agents.errors import RunError
from smolville.agents.mind import Appointment, KnownPlace
from smolville.agents.norms import TownRule
from smolville.agents.persona import Persona
from smolville.agents.times import Clock
from smolville.graphs.meeting import MOST_SPEAKERS, Guest
from smolville.graphs.surroundings import Intent, Percept, Senses, Stimulus
from smolville.history.records import Deed, Intervention, Move, ObjectState, Tile
from smolville.world.body_state import (
    FIGURE,
    PAUSE_SECONDS,
    STAY_SECONDS,
    VISITOR,
    BodyState,
    Crowd,
    Visitor,
    is_calling,
    occupied,
)
from smolville.world.wishes import ARRIVING, request_fields, visitor_name

Tiles = npt.NDArray[np.int64]
"""Tiles as rows of (column, row)."""
Ticks = npt.NDArray[np.int64]
CALLS = "visitor_calls"
TALKS = ("visitor_talks", CALLS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A talk that the town allows."""

    id: str
    participants: tuple[str, ...]
    """The names of all participants; the one who began the talk comes first."""
    place: str
    reasons: Mapping[str, str]
    """Why each of those who wanted the talk did, by name, in their words."""
    begins: int
    """Town second at which the participants have met."""
    guests: Mapping[str, Guest] = field(default_factory=dict)
    """Participants without a mind, who are visitors, by name."""
    by_telephone: bool = False

    def refused(self, tick: int, at: int, why: str) -> Deed:
        """Return the record of this talk as a refused action."""
        others = self.participants[1:]
        wish = Action(
            kind="talk",
            activity=f"talking with {' and '.join(others)}",
            place=self.place,
            start=at,
            end=at,
            partners=others,
        )
        agent = self.participants[0]
        return Deed(agent=agent, tick=tick, action=wish, outcome="refused", reason=why)


@dataclass(slots=True, kw_only=True)
class Changes:
    """Changes of bodies and objects, which become part of the commit unchanged."""

    deeds: list[Deed] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    objects: list[ObjectState] = field(default_factory=list)
    granted: list[Grant] = field(default_factory=list)
    intents: dict[str, Intent] = field(default_factory=dict)
    """Intents of visitors, as stated by their operators; resolved together with those of the minds.
    """

    def add(self, other: "Changes") -> None:
        """Add further changes."""
        self.deeds += other.deeds
        self.moves += other.moves
        self.objects += other.objects
        self.granted += other.granted
        self.intents |= other.intents


class Locality(Protocol):
    """How soon people can affect each other; those far apart may be simulated some ticks apart."""

    def ticks_around(self, row: int, tiles: Tiles) -> tuple[Ticks, Ticks]:
        """Return after how many ticks somebody and each of the others could affect each other.

        `row` is the person's index in `tiles`, which has everybody's tiles in the order of the
        world's names. The first result assumes that the person stays and the others come; the
        second assumes that the person comes and the others stay. 0 means that the two can sense or
        affect each other now. A number may be too small, but never too large. The person's own
        number does not matter.
        """
        ...


class World:
    """A world that minds can live in: a subclass says where people are and what they may do."""

    start_date: date
    """The date of day 1."""
    norms: tuple[TownRule, ...] = ()
    """The rules of the town; a world without rules can leave this out."""

    def __init__(self, figures: Sequence[BodyState], clock: Clock) -> None:
        self.clock = clock
        self.figures = Crowd(figures, clock)
        """Bodies by name: first of the residents, then of visitors."""
        self._names = tuple(self.figures)
        self.seen: dict[str, Collection[str]] = {name: frozenset() for name in self.figures}
        """Keys of the events that each mind knows."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all residents."""
        return self._names

    def known_at_start(self, persona: Persona) -> dict[str, KnownPlace]:
        """Return the places that somebody knows before the first tick."""
        raise NotImplementedError

    def surroundings(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> Senses:
        """Return what an agent perceives of the world as the tick begins."""
        raise NotImplementedError

    def resolve(self, tick: int, order: Sequence[str], intents: Mapping[str, Intent]) -> Changes:
        """Carry out or refuse intents in this order, and grant talks."""
        raise NotImplementedError

    def norms_at(self, tick: int) -> tuple[TownRule, ...]:
        """Return the rules of the town at a tick (`agents.norms`), including closings."""
        return self.norms

    def setting(self) -> Setting | None:
        """Return what entities other than people know of the town; None without such entities."""
        return None

    def let_happen(self, happenings: Sequence[Happening]) -> None:
        """Add happenings caused by entities; people perceive each one from its tick on."""

    def percepts(self, agent: str, tick: int) -> tuple[Percept, ...]:
        """Return the events in sight of somebody who is awake; each world defines this."""
        raise NotImplementedError

    def stimuli(self, tick: int, agents: Sequence[str]) -> dict[str, tuple[Stimulus, ...]]:
        """Return which of `agents` must think at this tick, and why.

        This must be cheap, and must not call a model.
        """
        at = self.clock.at(tick)
        watching = set(self.watching(tick, agents))
        due: dict[str, tuple[Stimulus, ...]] = {}
        for name in agents:
            figure, seen = self.figures[name], self.seen[name]
            why = figure.stimuli(at)
            is_looking = name in watching and not why and figure.is_looking(at)
            if is_looking and any(each.key not in seen for each in self.percepts(name, tick)):
                why = (Stimulus(kind="sight"),)
            if why:
                due[name] = why
        return due

    def watching(self, tick: int, agents: Sequence[str]) -> Sequence[str]:
        """Return who may see something new at a tick."""
        return agents

    def arrivals(self, tick: int, agents: Sequence[str]) -> dict[str, Changes]:
        """Let agents whose walk ends at this tick use their object, or find it occupied."""
        return {}

    def clusters(
        self, tick: int, agents: Sequence[str], active: Collection[str]
    ) -> list[tuple[str, ...]]:
        """Return groups of `agents` whose members are near enough to affect each other.

        Only groups with a member in `active` are returned.
        """
        return [tuple(sorted(agents))] if active else []

    def locality(self, tick: int) -> Locality | None:
        """Return the distances within which people affect each other at a tick; None if unlimited.

        The result stays valid until an operator's intervention. With None, all agents simulate each
        tick together (`world.free_schedule`).
        """
        return None

    def tile_at(self, agent: str, tick: int) -> Tile:
        """Return where somebody stands as a tick begins."""
        return self.figures[agent].tile_at(tick, self.clock)

    def settle(self, agent: str, tick: int, seen: Collection[str], need_at: int = 0) -> None:
        """Record that a thought has handled its stimuli, and which events the mind has seen.

        From the town second `need_at` on (0 means never), the stimulus `need` makes the agent think
        again, unless the agent is asleep or has thought in the meantime.
        """
        self.seen[agent] = frozenset(seen)
        self.figures[agent] = self.figures[agent].after_thought(self.clock.at(tick), need_at)

    def pass_on(self, agent: str, agreed: Sequence[Appointment], members: Collection[str]) -> None:
        """Tell what an agent has recorded of a talk to the others of `members` who took part in it.

        Their bodies hold it (`Body.claims`) until their next thought.
        """
        for each in agreed:
            for name in set(each.heard).intersection(members) - {agent}:
                figure = self.figures[name]
                claims = sorted((*figure.claims, each.told_to(name, agent)), key=repr)
                self.figures[name] = replace(figure, claims=tuple(claims))

    def excuse(self, agent: str, tick: int) -> None:
        """Leave an agent alone for ten minutes after its thought failed."""
        until = self.clock.at(tick) + max(PAUSE_SECONDS, self.clock.tick_seconds)
        self.figures[agent] = replace(self.figures[agent], resting_until=until)

    def grant_talks(
        self, tick: int, order: Sequence[str], intents: Mapping[str, Intent]
    ) -> Changes:
        """Grant or refuse talks in this order.

        If two people want to talk with each other, they get one talk. A third person who wants to
        talk with one of them joins it. Whoever decided at this tick to go on is left alone, and
        whoever wanted them is told so; a visitor, whose operator waits, is not turned away.
        """
        changes = Changes()
        groups: dict[str, list[str]] = {}
        for name in order:
            other = intents[name].start_talk
            if not other or other in groups.get(name, ()):
                continue
            why = self.why_not_talk(name, other, tick) or self._why_not_join(
                name, groups.get(name), groups.get(other), tick, joins=intents[name].joins
            )
            if not why and name in self._names and other in intents:
                why = self._declined(name, other, intents[other])
            if why:
                wish = self._grant((name, other), intents, tick, ("", 0))
                changes.deeds.append(wish.refused(tick, self.clock.at(tick), why))
                continue
            group = groups.get(other, [other])
            group.insert(len(group) if other in groups else 0, name)
            groups |= dict.fromkeys(group, group)
        for group in {id(each): each for each in groups.values()}.values():
            people = tuple(group)
            met = self.meeting(people, tick)
            changes.granted.append(self._grant(people, intents, tick, met))
        return changes

    def _declined(self, name: str, other: str, intent: Intent) -> str:
        """Return that a person went on, and tell it to whoever wanted the talk.

        Empty if that person did not decline. Their reason is a thought, which nobody hears.
        """
        if name not in intent.declines:
            return ""
        action = self.figures[other].action
        doing = f" ({action.activity})" if action else ""
        why = f"{other} was busy{doing} and did not talk with {name}"
        self.figures[name] = replace(self.figures[name], refused=why, refused_by=other)
        return why

    def _grant(
        self,
        people: tuple[str, ...],
        intents: Mapping[str, Intent],
        tick: int,
        met: tuple[str, int],
    ) -> Grant:
        """Return a talk of these people; `met` is the place and the town second of the meeting."""
        place, begins = met
        wishes = {name: intents[name] for name in people if name in intents}
        return Grant(
            id=f"talk/{tick}/{'&'.join(people)}",
            participants=people,
            place=place,
            reasons={
                name: wish.reason for name, wish in wishes.items() if wish.start_talk in people
            },
            begins=begins,
            guests=self.guests(people, tick),
            by_telephone=is_calling(self.figures, people[0]),
        )

    def _why_not_join(
        self,
        name: str,
        own: list[str] | None,
        group: list[str] | None,
        tick: int,
        *,
        joins: bool,
    ) -> str:
        """Return why somebody cannot join a talk that begins at this tick; empty if they can.

        Up to four people who are near each other may talk together. A talk with a visitor cannot be
        joined.
        """
        if own is not None:
            return f"{name} is talking with somebody else"
        if group is None:
            return ""
        if not joins or len(group) >= MOST_SPEAKERS or self.guests((*group, name), tick):
            return f"{group[-1]} is talking with somebody else"
        return next((why for each in group if (why := self.why_not_talk(name, each, tick))), "")

    def why_not_talk(self, name: str, other: str, tick: int) -> str:
        """Return why two people cannot talk; empty if they can."""
        figure = self.figures.get(other)
        if figure is None or other == name or not figure.is_here(tick):
            return f"nobody called {other} is here"
        if figure.is_talking(self.clock.at(tick)):
            return f"{other} is talking with somebody else"
        return f"{other} is asleep" if figure.is_asleep() else ""

    def meeting(self, people: Sequence[str], tick: int) -> tuple[str, int]:
        """Return where people talk, and the town second when they have met."""
        raise NotImplementedError

    def hold(self, tick: int, talk: Talk) -> Changes:
        """Keep everybody in a talk busy at the place where they are."""
        deeds = []
        for name in talk.participants:
            self.figures[name] = figure = occupied(self.figures, name, talk)
            if figure.action is not None:
                deeds.append(Deed(agent=name, tick=tick, action=figure.action))
        return Changes(deeds=deeds)

    def deliver(self, intervention: Intervention) -> Changes:
        """Carry out an operator's intervention, effective from its tick.

        An announcement is delivered once for each agent, who is then its `target`.
        """
        if intervention.kind.startswith("visitor_"):
            return self._visit(intervention)
        figure = self.figures.get(intervention.target)
        if figure is None:
            return Changes()
        if intervention.kind == "announcement":
            figure = replace(figure, announced=(*figure.announced, intervention.text))
        else:
            figure = replace(figure, whispers=(*figure.whispers, intervention.text))
        self.figures[figure.agent] = figure
        return Changes()

    def next_tick(self, tick: int, agents: Sequence[str]) -> int:
        """Return the first tick after `tick` at which anything may happen to `agents`."""
        return tick + 1

    def bodies(self, agents: Sequence[str]) -> dict[str, str]:
        """Return the bodies of `agents` and visitors as JSON, for the commit."""
        return {name: self.figures[name].to_json() for name in agents}

    def restore(
        self,
        tick: int,
        bodies: Mapping[str, str],
        objects: Mapping[str, ObjectState],
        seen: Mapping[str, Collection[str]],
    ) -> None:
        """Restore a committed state whose last tick is `tick`.

        `seen` are the events that each agent knows.
        """
        for name, body in bodies.items():
            kind = FIGURE if name in self._names else VISITOR
            self.figures[name] = kind.validate_json(body)
        self.seen.update({name: frozenset(keys) for name, keys in seen.items()})

    @property
    def townspeople(self) -> tuple[str, ...]:
        """Names that no visitor may have."""
        return self.names

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

    def seen_from(self, tick: int, tile: Tile) -> None:
        """Record that a tile looks different from this tick on."""

    def visitors(self, tick: int) -> list[Visitor]:
        """Return the visitors that others can meet at a tick."""
        later = list(self.figures.values())[len(self.names) :]
        return [each for each in later if isinstance(each, Visitor) and each.is_here(tick)]

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
            return self._why_no_visit(intervention)
        except RunError as error:
            return str(error)

    def _why_no_visit(self, wish: Intervention) -> str:
        name, figure = wish.target, self.figures.get(wish.target)
        is_here = isinstance(figure, Visitor) and figure.left < 0
        if wish.kind in ("visitor_enters", CALLS):
            visitor_name(name, self.townspeople)
            if is_here or (figure is not None and figure.is_here(wish.tick)):
                named = "; ring under another name" if wish.kind == CALLS else ""
                return f"{name} is in town already{named}."
        elif not is_here:
            return f"{name} is not in town."
        if wish.kind in TALKS:
            other = _partner(wish)
            if other not in self.names:
                return f"nobody called {other} lives here."
            if self.figures[other].is_asleep():
                return f"{other} is asleep."
            why = "" if wish.kind == CALLS else self.why_not_talk(name, other, wish.tick)
            return f"{why}." if why else ""
        if wish.kind in ("visitor_enters", "visitor_walks"):
            is_new = wish.kind == "visitor_enters"
            place = request_fields(wish)["place"] if is_new else wish.text
            way = (self.way_in if is_new else self.way_to)(name, place, wish.tick)
            return "" if way else f"there is no way to {place!r}."
        return ""

    def must_wait(self, intervention: Intervention) -> bool:
        """Return True while a visitor, or the person to talk with, is in a talk.

        A visitor who is to talk to somebody out of sight waits until both have stopped walking.
        """
        wish, tick = intervention, intervention.tick
        other = _partner(wish) if wish.kind in TALKS else ""
        both = [self.figures[name] for name in (wish.target, other) if name in self.figures]
        if any(figure.is_talking(self.clock.at(tick)) for figure in both):
            return True
        visitor = self.figures.get(wish.target)
        if wish.kind == CALLS or other not in self.names or not isinstance(visitor, Visitor):
            return False
        is_walking = visitor.left < 0 and any(each.is_walking(tick) for each in both)
        return is_walking and bool(self.why_not_talk(wish.target, other, tick))

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

    def _visit(self, wish: Intervention) -> Changes:
        """Carry out a visitor's request, which `why_not` must have allowed."""
        name, tick = wish.target, wish.tick
        if wish.kind == "visitor_enters":
            fields = request_fields(wish)
            path = self.way_in(name, fields["place"], tick)
            self.figures[name] = Visitor(
                agent=name, tile=path[0], about=fields["about"], came=tick, told=tick
            )
            place = self.place_at(path[-1], fields["place"])
            self._let_act(name, fields["doing"] or ARRIVING, place, tick, "🧳")
            return self._let_walk(name, path, tick, is_first=True)
        if wish.kind == CALLS:
            about = request_fields(wish)["about"]
            self.figures[name] = Visitor(
                agent=name, tile=(0, 0), about=about, came=tick, left=tick, told=tick
            )
        visitor = self._visitor(name)
        if wish.kind in TALKS:
            self.figures[name] = replace(visitor, told=tick)
            return Changes(intents={name: Intent(start_talk=_partner(wish))})
        if wish.kind == "visitor_walks":
            way = self.way_after if wish.text in self.names else self.way_to
            path = way(name, wish.text, tick) or (visitor.tile_at(tick, self.clock),)
            self._let_act(name, ARRIVING, self.place_at(path[-1], wish.text), tick, "🚶")
            return self._let_walk(name, path, tick)
        before = visitor.doing(self.clock.at(tick))
        place = before.place if before else ""
        if wish.kind == "visitor_acts":
            action = self._let_act(name, wish.text, place, tick, "🙂")
            return Changes(deeds=[Deed(agent=name, tick=tick, action=action)])
        return self._let_leave(name, place, tick)

    def _let_leave(self, name: str, place: str, tick: int) -> Changes:
        path = self.way_out(name, tick)
        left = tick + self.clock.ticks_to_walk(len(path) - 1)
        self._let_act(name, "leaving", place, tick, "👋")
        self.figures[name] = replace(self._visitor(name), left=left)
        changes = self._let_walk(name, path, tick)
        if left == tick:
            self.figures[name] = replace(self._visitor(name), action=None)
        return changes

    def _let_act(self, name: str, activity: str, place: str, tick: int, emoji: str) -> Action:
        at = self.clock.at(tick)
        action = Action(
            kind="do",
            activity=activity,
            place=place,
            start=at,
            end=at + STAY_SECONDS,
            emoji=emoji,
            object=activity,
        )
        self.figures[name] = self._visitor(name).acting(action, tick)
        return action

    def _let_walk(
        self, name: str, path: tuple[Tile, ...], tick: int, *, is_first: bool = False
    ) -> Changes:
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

    def _visitor(self, name: str) -> Visitor:
        visitor = self.figures[name]
        assert isinstance(visitor, Visitor)
        return visitor


def _partner(wish: Intervention) -> str:
    return str(request_fields(wish)["agent"]) if wish.kind == CALLS else wish.text
