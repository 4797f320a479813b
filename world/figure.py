"""One agent's body in the tile town: where it stands, what it does, with whom it talks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from agents.action import Action, Talk, told
from agents.times import day_of
from graphs.surroundings import Body, Percept, Stimulus
from world.clock import Clock
from world.records import Move, Tile
from world.runs.positions import tile_at

PAUSE_SECONDS = 600
"""After a failed thought an agent is left alone for ten minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A body's state; replaced, never changed, so that a snapshot costs nothing."""

    agent: str
    tile: Tile
    """Where it stands; during a walk, where the walk began."""
    walk: Move | None = None
    action: Action | None = None
    day: int = 0
    """The last day it was told to plan."""
    talk: Talk | None = None
    """The talk that is going on, or that has ended and is not concluded yet."""
    interrupted: Action | None = None
    is_settled: bool = True
    """False until it has arrived at its action's place and found it free or taken."""
    refused: str = ""
    refused_place: str = ""
    whispers: tuple[str, ...] = ()
    announced: tuple[str, ...] = ()
    """What was announced to the whole town, and not heard yet."""
    resting_until: int = 0
    """Town second; a failed thought is not tried again before it."""

    def tile_at(self, tick: int, clock: Clock) -> Tile:
        """Return where it stands when `tick` begins."""
        if self.walk is None:
            return self.tile
        return tile_at(self.walk, tick, clock)

    def is_walking(self, tick: int) -> bool:
        """True when it has not reached the end of its walk as `tick` begins."""
        return self.walk is not None and tick < self.walk.end_tick

    def is_here(self, tick: int) -> bool:
        """True when others can meet it at a tick: people of the town always are somewhere."""
        return True

    def hears(self) -> bool:
        """True when something waits to be heard: who sleeps is not woken, and hears it later."""
        return bool(self.announced) and not self.is_asleep()

    def is_asleep(self) -> bool:
        """True while its action is to sleep."""
        return self.action is not None and self.action.kind == "sleep"

    def is_talking(self, at: int) -> bool:
        """True while its talk goes on."""
        return self.talk is not None and at < self.talk.end

    def is_looking(self, at: int) -> bool:
        """True when it would notice what is new in sight: awake, free, and not left alone."""
        return not self.is_asleep() and not self.is_talking(at) and self.resting_until <= at

    def stimuli(self, at: int) -> tuple[Stimulus, ...]:
        """Return what its own body gives it to think about; sights come from around it."""
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
        return tuple(kinds)

    def settled(self, at: int) -> "Figure":
        """Return the body after a thought has dealt with its stimuli."""
        return replace(
            self,
            day=max(self.day, day_of(at)),
            talk=None,
            interrupted=None,
            refused="",
            refused_place="",
            whispers=(),
            announced=() if self.hears() else self.announced,
        )

    def talking(self, talk: Talk) -> "Figure":
        """Return the body as a talk has it, where it stands."""
        others = " and ".join(talk.others(self.agent))
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
        """Return what others see of it, who does something."""
        action = self.action
        assert action is not None
        return Percept(
            subject=self.agent,
            predicate=action.predicate,
            object=action.object,
            text=told(self.agent, action.activity),
            place=place,
            distance=distance,
            is_person=True,
            can_talk=not self.is_asleep() and self.talk is None,
            activity=action.activity,
            until=action.end,
            origin=action.start,
        )

    def body(self, place: str, tick: int, introduced: Mapping[str, str] | None = None) -> Body:
        """Return it as its own thought knows it, with who strangers in its talk say they are."""
        return Body(
            place=place,
            action=self.action,
            arrived=not self.is_walking(tick),
            ended_talk=self.talk,
            interrupted=self.interrupted,
            refused=self.refused,
            refused_place=self.refused_place,
            introduced=introduced or {},
        )

    def due(self, at: int) -> int:
        """Return the town second at which it must be asked again (at the earliest, `at`)."""
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
        return max(at, min(midnight, end, soon))

    def written(self) -> str:
        """Return it as JSON; what hardly ever is there is left out where it is not."""
        unheard = None if self.announced else {"announced"}
        return FIGURE.dump_json(self, exclude=unheard).decode()


FIGURE = TypeAdapter(Figure)
"""Writes and reads a figure as JSON."""
