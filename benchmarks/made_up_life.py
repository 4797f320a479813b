"""The day of made-up people, who walk, use things, talk and remember at random."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.chance import draw, pick
from smolville.agents.memory import LIFETIME_SECONDS, Change, Memory, MemoryKind, memory_id
from smolville.agents.times import Clock
from smolville.history.records import CommitBatch, Deed, Move, ObjectState, ThoughtRow, Tile
from smolville.history.spec import RunSpec
from smolville.world.body_state import FIGURE, BodyState
from smolville.world.town.town import Town
from smolville.world.town.townmap import TownMap

DOINGS = (
    ("reading a book", "📖"), ("mending a chair", "🔧"), ("writing a letter", "✍️"),
    ("having a cup of tea", "☕"), ("sorting seeds", "🌱"), ("looking for a lost key", "🔑"),
    ("humming a tune", "🎵"), ("drawing the view", "🎨"), ("counting coins", "🪙"),
    ("folding paper boats", "⛵"), ("kneading dough", "🍞"), ("dozing a little", "😌"),
)  # fmt: skip
SAID = (
    "Good morning! Did you sleep well?", "The river is high today.", "Where have you been?",
    "They say that there will be lanterns on the square.", "Would you lend me your ladder?",
    "My bread did not rise. Again!", "I must be off soon.", "Have you heard the bells?",
    "We should meet at the cafe.", "What a fine hat.", "I dreamt of the sea.", "See you later!",
)  # fmt: skip
INSIGHTS = (
    "I like mornings better than I admit.", "People here help without being asked.",
    "I ought to finish what I begin.", "The town is kinder than it looks.",
)  # fmt: skip
SHORTEST, LONGEST = 30, 150
"""Minimum and maximum duration of an activity, in ticks."""
ONE_IN_TALKS = 5
"""A person with free time talks in one of this many cases, if anybody is near."""
LINE_SECONDS = 20


@dataclass
class Body:
    """One made-up person."""

    name: str
    tile: Tile
    arrives: int = 0
    """The tick at which the person's walk ends."""
    free: int = 0
    """The tick at which the person looks for something else to do."""
    uses: str = ""
    """Address of the thing that the person uses."""
    deeds: int = 0


class Life:
    """Everybody's life, for the ticks at which something happens."""

    def __init__(self, town: Town, spec: RunSpec) -> None:
        self.town = town
        self.map: TownMap = town.map
        self.clock = Clock(spec.tick_seconds)
        self.seed = spec.seed
        self.names = spec.cast
        self.things = [each for each in town.map.objects if town.map.tiles_of(each)]
        bedrooms = [each.arena for each in town.map.objects.values() if each.is_bed]
        self.bodies = [
            Body(name, pick(self.map.tiles_of(bedrooms[n % len(bedrooms)]), self.seed, name))
            for n, name in enumerate(self.names)
        ]
        self.taken: defaultdict[str, int] = defaultdict(int)

    def batches(self, start: int, end: int) -> Iterator[CommitBatch]:
        """Yield the commits: sleep until `start`, then activities until `end`, in town seconds."""
        first, last = self.clock.tick_at(start), self.clock.tick_at(end) - 1
        yield self._asleep(start)
        queue: list[tuple[int, int]] = []
        for n in range(len(self.bodies)):
            heappush(queue, (first + draw(self.seed, "rises", n) % 60, n))
        made = self._batch(first)
        while queue and queue[0][0] <= last:
            tick, n = heappop(queue)
            if tick != made.tick:
                yield made
                made = self._batch(tick)
            if self.bodies[n].free <= tick:
                self._begin(made, self.bodies[n])
            heappush(queue, (max(self.bodies[n].free, tick + 1), n))
        if made.tick < last:
            yield made
            made = self._batch(last)
        yield made

    def _batch(self, tick: int) -> CommitBatch:
        return CommitBatch(tick=tick, at=self.clock.at(tick), agents=self.names)

    def _asleep(self, until: int) -> CommitBatch:
        """Return the commit of the night."""
        made = self._batch(0)
        for body in self.bodies:
            action = Action(
                kind="sleep", activity="sleeping", place=self.map.arena_at(body.tile), start=0,
                end=until, emoji="😴", object="asleep",
            )  # fmt: skip
            self._do(made, body, action)
        return made

    def _begin(self, made: CommitBatch, body: Body) -> None:
        """Let somebody begin a talk with a person near them, or an activity with another thing."""
        chance = draw(self.seed, body.name, made.tick)
        other = self._near(made.tick, body) if chance % ONE_IN_TALKS == 0 else None
        if other is not None:
            self._talk(made, body, other)
            return
        thing = self._free_thing(made.tick, body)
        path = self.town.paths.path(body.tile, self.map.tiles_of(thing))
        self._leave(made, body)
        move = self._walk(made, body, path)
        stay = SHORTEST + chance % (LONGEST - SHORTEST)
        body.free = body.arrives + stay
        activity, emoji = pick(DOINGS, self.seed, body.name, made.tick, "doing")
        state = f"in use by {body.name}"
        action = Action(
            kind="do", activity=activity, place=thing, start=made.at,
            end=self.clock.at(body.free), emoji=emoji, object=activity, object_state=state,
            object_emoji=emoji, fallback=chance % 40 == 0,
        )  # fmt: skip
        self._do(made, body, action, move)
        body.uses = thing
        self.taken[thing] += 1
        made.objects.append(
            ObjectState(address=thing, tick=made.tick, state=state, emoji=emoji, by=body.name)
        )
        self._remember(made, body, "event", f"{body.name} is {activity}")

    def _walk(self, made: CommitBatch, body: Body, path: tuple[Tile, ...]) -> Move | None:
        """Let somebody walk a path."""
        body.arrives = made.tick + self.clock.ticks_to_walk(max(0, len(path) - 1))
        if len(path) < 2:
            return None
        move = Move(agent=body.name, tick=made.tick, end_tick=body.arrives, path=path)
        made.moves.append(move)
        body.tile = path[-1]
        return move

    def _free_thing(self, tick: int, body: Body) -> str:
        """Return a thing that can be reached, and that is free if possible."""
        for attempt in range(20):
            thing = pick(self.things, self.seed, body.name, tick, attempt)
            fits = self.taken[thing] < self.map.objects[thing].capacity
            if fits and self.town.paths.path(body.tile, self.map.tiles_of(thing)):
                return thing
        paths = self.town.paths
        return next(each for each in self.things if paths.path(body.tile, self.map.tiles_of(each)))

    def _leave(self, made: CommitBatch, body: Body) -> None:
        """Release the thing that somebody uses."""
        if not body.uses:
            return
        self.taken[body.uses] -= 1
        if not self.taken[body.uses]:
            state = self.map.objects[body.uses].idle_state
            made.objects.append(
                ObjectState(address=body.uses, tick=made.tick, state=state, by=body.name)
            )
        body.uses = ""

    def _near(self, tick: int, body: Body) -> Body | None:
        """Return a person in the same place who has time; None if there is none."""
        place = self.map.arena_at(body.tile)
        for other in self.bodies:
            is_there = other.arrives <= tick < other.free and other is not body
            if is_there and self.map.arena_at(other.tile) == place:
                return other
        return None

    def _talk(self, made: CommitBatch, body: Body, other: Body) -> None:
        """Let two people talk where they stand."""
        key = f"talk/{made.tick}/{body.name}&{other.name}"
        count = 3 + draw(self.seed, key) % 6
        lines = tuple(
            TalkLine(
                speaker=(body, other)[n % 2].name,
                text=pick(SAID, self.seed, key, n),
                at=made.at + n * LINE_SECONDS,
                fallback=draw(self.seed, key, n) % 60 == 0,
            )
            for n in range(count)
        )
        end = made.at + count * LINE_SECONDS
        both = (body.name, other.name)
        place = self.map.arena_at(body.tile)
        talk = Talk(
            id=key, participants=both, place=place, start=made.at, end=end, lines=lines,
            ended_by=lines[-1].speaker,
        )  # fmt: skip
        made.talks.append(talk)
        for one, partner in ((body, other), (other, body)):
            self._leave(made, one)
            one.free = self.clock.tick_at(end)
            action = Action(
                kind="talk", activity=f"talking with {partner.name}", place=place, start=made.at,
                end=end, emoji="💬", predicate="talks with", object=partner.name,
                partners=(partner.name,),
            )  # fmt: skip
            self._do(made, one, action)
            self._remember(made, one, "talk", f"{one.name} talked with {partner.name}")

    def _do(self, made: CommitBatch, body: Body, action: Action, move: Move | None = None) -> None:
        """Add a deed, the thought that led to it, and the body to the commit."""
        made.deeds.append(Deed(agent=body.name, tick=made.tick, action=action))
        row = ThoughtRow(
            agent=body.name, tick=made.tick, at=made.at, stimuli=("action_ended",),
            path=("perceive", "act"), intent=action.activity, milliseconds=1.0,
        )  # fmt: skip
        if all(each.agent != body.name for each in made.thoughts):
            made.thoughts.append(row)
        tile = move.path[0] if move else body.tile
        figure = BodyState(agent=body.name, tile=tile, walk=move, action=action, day=1)
        made.bodies[body.name] = FIGURE.dump_json(figure).decode()
        body.deeds += 1

    def _remember(self, made: CommitBatch, body: Body, kind: MemoryKind, text: str) -> None:
        """Add a memory, already rated, and sometimes an insight with it."""
        kept = [("perceive", kind, text)]
        if body.deeds % 6 == 0:
            kept.append(("reflect_insights", "thought", pick(INSIGHTS, body.name, made.tick)))
        known = sum(each.agent == body.name for each in made.memories)
        for n, (step, sort, words) in enumerate(kept, start=known):
            key = memory_id(body.name, made.tick, step, 0, n)
            memory = Memory(
                id=key, agent=body.name, kind=sort, text=words, created=made.at, tick=made.tick,
                accessed=made.at, expires=made.at + LIFETIME_SECONDS,
                depth=1 if sort == "thought" else 0,
            )  # fmt: skip
            made.memories.append(memory)
            value = 1 + draw(self.seed, key) % 10
            made.changes.append(
                Change(id=key, kind="rate", tick=made.tick, at=made.at, value=value)
            )
