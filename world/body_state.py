"""The bodies of residents and visitors: position, action and talk."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from smolville.agents.action import Action, Talk, describe_action
from smolville.agents.mind import Appointment
from smolville.agents.times import Clock, day_of
from smolville.agents.wording import join_words
from smolville.graphs.surroundings import Body, Percept, Stimulus
from smolville.history.moments import tile_at
from smolville.history.records import Deed, Move, Tile

PAUSE_SECONDS = 600
"""Seconds for which an agent is left alone after a failed thought."""
STAY_SECONDS = 86_400
"""Maximum recorded length of a visitor's action, in seconds; it continues until the next request.
"""
SOON_SECONDS = 3600
"""Seconds for which people in sight expect a visitor's action to last, since its end is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyState:
    """The state of a body; it is replaced, never changed in place, so a snapshot costs nothing."""

    agent: str
    tile: Tile
    """The tile where the body stands; during a walk, the tile where the walk began."""
    walk: Move | None = None
    action: Action | None = None
    day: int = 0
    """The last day for which the agent had the stimulus to plan."""
    talk: Talk | None = None
    """The current talk, or a talk that has ended but whose conclusion is still to come."""
    interrupted: Action | None = None
    is_settled: bool = True
    """False until the body has reached its action's place and has found it free or occupied."""
    refused: str = ""
    refused_place: str = ""
    refused_by: str = ""
    """The person who did not want to talk; empty if nobody refused a talk."""
    whispers: tuple[str, ...] = ()
    announced: tuple[str, ...] = ()
    """Announcements to the whole town that the person has not heard yet."""
    claims: tuple[Appointment, ...] = ()
    """What others have recorded of talks with the person, until its next thought."""
    resting_until: int = 0
    """Town second before which the agent does not think again after a failed thought."""
    need_at: int = 0
    """Town second at which the mind wants to attend to a need, unless asleep; 0 for never."""

    def tile_at(self, tick: int, clock: Clock) -> Tile:
        """Return the body's tile when `tick` begins."""
        if self.walk is None:
            return self.tile
        return tile_at(self.walk, tick, clock)

    def is_walking(self, tick: int) -> bool:
        """Return True if the body is still on its walk as `tick` begins."""
        return self.walk is not None and tick < self.walk.end_tick

    def is_here(self, tick: int) -> bool:
        """Return True if others can meet this person at a tick; residents are always present."""
        return True

    def hears(self) -> bool:
        """Return True if there is something to hear; sleepers hear it when they wake."""
        return bool(self.announced) and not self.is_asleep()

    def is_asleep(self) -> bool:
        """Return True while the person sleeps."""
        return self.action is not None and self.action.kind == "sleep"

    def is_talking(self, at: int) -> bool:
        """Return True while the person's talk is in progress."""
        return self.talk is not None and at < self.talk.end

    def is_looking(self, at: int) -> bool:
        """Return True if the person notices new things: awake, not talking, and not left alone."""
        return not self.is_asleep() and not self.is_talking(at) and self.resting_until <= at

    def stimuli(self, at: int) -> tuple[Stimulus, ...]:
        """Return the body's own stimuli; stimuli from things in sight are added elsewhere."""
        if self.resting_until > at or self.is_talking(at):
            return ()
        kinds: list[Stimulus] = []
        if day_of(at) > self.day:
            kinds.append(Stimulus(kind="new_day"))
        if self.talk is not None:
            kinds.append(Stimulus(kind="talk_ended"))
        kinds += [Stimulus(kind="inner_voice", text=text) for text in self.whispers]
        if self.hears():
            kinds += [Stimulus(kind="announcement", text=text) for text in self.announced]
        if self.action is None or self.action.end <= at:
            kinds.append(Stimulus(kind="action_ended"))
        if self.refused:
            kinds.append(Stimulus(kind="refused", text=self.refused))
        if self._feels_need(at):
            kinds.append(Stimulus(kind="need"))
        return tuple(kinds)

    def _feels_need(self, at: int) -> bool:
        return 0 < self.need_at <= at and not self.is_asleep()

    def after_thought(self, at: int, need_at: int = 0) -> "BodyState":
        """Return the body after a thought has handled its stimuli.

        `need_at` is the town second at which its next need is due.
        """
        return replace(
            self,
            day=max(self.day, day_of(at)),
            talk=None,
            interrupted=None,
            refused="",
            refused_place="",
            refused_by="",
            whispers=(),
            announced=() if self.hears() else self.announced,
            claims=(),
            need_at=need_at,
        )

    def talking(self, talk: Talk) -> "BodyState":
        """Return the body during a talk at the place where it stands."""
        others = join_words(talk.others(self.agent))
        action = Action(
            kind="talk",
            activity=f"talking with {others}",
            place=talk.place,
            start=talk.start,
            end=talk.end,
            emoji="💬",
            predicate="talks with",
            object=others,
            partners=talk.others(self.agent),
        )
        return replace(self, talk=talk, interrupted=self.action, action=action)

    def percept(self, place: str, distance: int, at: int) -> Percept:
        """Return what others perceive of the body and its action."""
        action = self.action
        assert action is not None
        return Percept(
            subject=self.agent,
            predicate=action.predicate,
            object=action.object,
            text=describe_action(self.agent, action.activity),
            place=place,
            distance=distance,
            is_person=True,
            can_talk=not self.is_asleep() and self.talk is None,
            activity=action.activity,
            until=action.end,
            origin=action.start,
        )

    def body(self, place: str, tick: int, introduced: Mapping[str, str] | None = None) -> Body:
        """Return the body as its own mind sees it; `introduced` describes visitors in its talk."""
        return Body(
            place=place,
            action=self.action,
            arrived=not self.is_walking(tick),
            ended_talk=self.talk,
            interrupted=self.interrupted,
            refused=self.refused,
            refused_place=self.refused_place,
            claims=self.claims,
            refused_by=self.refused_by,
            introduced=introduced or {},
        )

    def due(self, at: int) -> int:
        """Return the town second, not before `at`, at which the body next looks for stimuli."""
        if self.is_talking(at):
            assert self.talk is not None
            return max(self.talk.end, self.resting_until)
        if self.resting_until >= at:
            # It looks around when its rest ends: what came into sight meanwhile is still new.
            return self.resting_until
        midnight = self.day * 86_400
        end = self.action.end if self.action is not None else at
        is_told = self.whispers or self.refused or self.hears()
        soon = at if is_told or self.talk is not None else end
        if self.need_at and not self.is_asleep():
            soon = min(soon, self.need_at)
        return max(at, min(midnight, end, soon))

    def to_json(self) -> str:
        """Return the body as JSON, without rarely used fields that are empty."""
        rare = ("announced", "claims", "need_at", "refused_by")
        empty = {name for name in rare if not getattr(self, name)}
        return FIGURE.dump_json(self, exclude=empty or None).decode()


FIGURE = TypeAdapter(BodyState)
"""Reads and writes a body as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor(BodyState):
    """A visitor from outside, who comes and leaves; one who only telephones is never in town."""

    about: str
    """How visitors introduce themselves: `a reporter from the county paper`."""
    came: int
    """The tick of the visitor's latest arrival."""
    left: int = -1
    """The tick from which the visitor is gone; -1 while they stay."""
    told: int = -1
    """The tick of the operator's latest instruction for this visitor."""

    @property
    def is_caller(self) -> bool:
        """True for a visitor who only telephones and is nowhere in town."""
        return 0 <= self.left <= self.came

    def is_here(self, tick: int) -> bool:
        """Return True if others can meet the visitor at a tick."""
        return self.came <= tick and (self.left < 0 or tick < self.left)

    def doing(self, at: int) -> Action | None:
        """Return the visitor's action; after a talk, the action that the talk interrupted."""
        if self.talk is not None and at >= self.talk.end:
            return self.interrupted
        return self.action

    def acting(self, action: Action, tick: int) -> "Visitor":
        """Return the body with another action from a tick on, as requested by the operator."""
        return replace(self, action=action, talk=None, interrupted=None, told=tick)

    def talking(self, talk: Talk) -> "Visitor":
        """Return the body during a talk at its place; a caller has no place."""
        before = replace(self, action=self.doing(talk.start), talk=None)
        if self.is_caller:
            return replace(before, talk=talk)
        # BodyState's own method, by name: a frozen class with slots has no bare `super`.
        held = BodyState.talking(before, talk)
        assert isinstance(held, Visitor)
        return held

    def to_json(self) -> str:
        """Return the visitor as JSON."""
        return VISITOR.dump_json(self).decode()

    def percept(self, place: str, distance: int, at: int) -> Percept:
        """Return what others perceive of the visitor, including the visitor's introduction."""
        action = self.doing(at)
        assert action is not None
        return Percept(
            subject=self.agent,
            predicate=action.predicate,
            object=action.object,
            text=seen_as(self.agent, self.about, action.activity),
            place=place,
            distance=distance,
            is_person=True,
            can_talk=not self.is_talking(at),
            activity=action.activity,
            until=self.talk.end if self.is_talking(at) and self.talk else at + SOON_SECONDS,
            origin=action.start,
            about=self.about,
        )


VISITOR = TypeAdapter(Visitor)
"""Reads and writes a visitor as JSON."""


class Crowd(dict[str, BodyState]):
    """Bodies by name: residents, then visitors in the order in which they first came.

    No body is ever removed. A body is replaced by setting the item.
    """

    def __init__(self, bodies: Iterable[BodyState], clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._latest: tuple[int, dict[str, Tile]] | None = None
        """Everybody's tiles at the last tick that was asked for: many look around at one tick."""
        self._users: dict[str, set[str]] = {}
        """For each address, the people whose action takes place there."""
        for body in bodies:
            self[body.agent] = body

    def __setitem__(self, name: str, body: BodyState) -> None:
        """Add or replace a body."""
        before, self._latest = self.get(name), None
        super().__setitem__(name, body)
        if before is not None and before.action is not None:
            self._users[before.action.place].discard(name)
        if body.action is not None:
            self._users.setdefault(body.action.place, set()).add(name)

    def tiles(self, tick: int) -> Mapping[str, Tile]:
        """Return the tiles of all bodies, in town or not, as `tick` begins, in body order."""
        if self._latest is None or self._latest[0] != tick:
            found = {name: body.tile_at(tick, self._clock) for name, body in self.items()}
            self._latest = tick, found
        return self._latest[1]

    def near(self, tick: int, tile: Tile, reach: int) -> Iterator[tuple[str, Tile, int]]:
        """Yield everybody at most `reach` tiles away as `tick` begins: name, tile and distance."""
        for name, other in self.tiles(tick).items():
            distance = max(abs(tile[0] - other[0]), abs(tile[1] - other[1]))
            if distance <= reach:
                yield name, other, distance

    def stirring(self, tick: int) -> list[Tile]:
        """Return the tiles where somebody walks or has walked, or whose pause ends, at `tick`."""
        found = []
        for body in self.values():
            walk = body.walk
            if walk is not None and walk.tick < tick <= walk.end_tick:
                found += [body.tile_at(tick - 1, self._clock), body.tile_at(tick, self._clock)]
            if body.resting_until > 0 and self._clock.tick_at(body.resting_until) == tick:
                found.append(body.tile_at(tick, self._clock))
        return found

    def users(self, address: str, tick: int, without: str = "") -> list[str]:
        """Return the names of people who use an object, except the person `without`.

        They have arrived at the object, and are not in a talk.
        """
        found = []
        for name in self._users.get(address, ()):
            body = self[name]
            is_there = body.is_settled and not body.is_walking(tick)
            is_busy = body.action is None or body.action.kind == "talk"
            if name != without and is_there and not is_busy:
                found.append(name)
        return found


def seen_as(name: str, about: str, activity: str) -> str:
    """Return what others see of a visitor: `Rosa Lind, a reporter, is taking notes`."""
    if not about:
        return describe_action(name, activity)
    is_doing = activity.split(" ", 1)[0].endswith("ing")
    return f"{name}, {about}, is {activity}" if is_doing else f"{name}, {about}: {activity}"


def is_calling(figures: Mapping[str, BodyState], name: str) -> bool:
    """Return True for a visitor who only telephones and is nowhere in town."""
    figure = figures.get(name)
    return isinstance(figure, Visitor) and figure.is_caller


def introduce_visitors(figures: Mapping[str, BodyState], agent: str) -> dict[str, str]:
    """Return the visitors in somebody's talk, each with their introduction."""
    talk = figures[agent].talk
    others = () if talk is None else talk.others(agent)
    found = {name: figures.get(name) for name in others}
    return {name: each.about for name, each in found.items() if isinstance(each, Visitor)}


def occupied(figures: Mapping[str, BodyState], name: str, talk: Talk) -> BodyState:
    """Return somebody's body during a talk at the place where it stands."""
    figure = figures[name].talking(talk)
    if figure.action is None or not any(is_calling(figures, each) for each in talk.others(name)):
        return figure
    activity = f"{figure.action.activity} on the telephone"
    return replace(figure, action=replace(figure.action, activity=activity, emoji="☎️"))


def refuse(figures: dict[str, BodyState], name: str, tick: int, action: Action, why: str) -> Deed:
    """Refuse an action: the agent is told why, and continues as before."""
    figures[name] = replace(figures[name], refused=why, refused_place=action.place)
    return Deed(agent=name, tick=tick, action=action, outcome="refused", reason=why)
