"""Writes a made-up history of many people as a run folder for viewing: no model, no minds.

People with made-up names walk about the shipped town from seven in the morning, use things, talk,
and remember. The rows are real ones, written as the owner of a run writes them. Equal wishes give
equal histories.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.chance import draw, pick
from smolville.agents.memory import LIFETIME_SECONDS, Change, Memory, MemoryKind, memory_id
from smolville.agents.times import Clock
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.records import CommitBatch, Deed, Move, ObjectState, ThoughtRow, Tile
from smolville.history.spec import ModelSpecs, RunSpec
from smolville.world.body_state import FIGURE, BodyState
from smolville.world.town.town import Town, shipped_town, town_hash

BEGINNING = 7
"""The hour at which the people get up."""
FIRST = (
    "Ada", "Bo", "Cleo", "Dara", "Elin", "Femi", "Gus", "Hana", "Ivo", "Jun", "Kaya", "Leo", "Mina",
    "Noor", "Oskar", "Pia", "Quinn", "Rosa", "Sami", "Tove", "Uma", "Viggo", "Wren", "Xenia",
    "Yara", "Zeno",
)  # fmt: skip
LAST = (
    "Alder", "Birch", "Cole", "Drake", "Egan", "Frost", "Gale", "Heath", "Ingram", "Jarvis",
    "Keller", "Lund", "Moss", "North", "Orchard", "Pike", "Quill", "Reed", "Stone", "Thorne",
    "Underhill", "Vale", "Ward", "Yates", "Zeller", "Ash",
)  # fmt: skip
DOINGS = (
    ("reading a book", "📖"), ("mending a chair", "🔧"), ("writing a letter", "✍️"),
    ("having a cup of tea", "☕"), ("sorting seeds", "🌱"), ("drawing the view", "🎨"),
)  # fmt: skip
SAID = (
    "Good morning! Did you sleep well?", "The river is high today.", "Where have you been?",
    "Would you lend me your ladder?", "My bread did not rise. Again!", "See you later!",
)  # fmt: skip
SHORTEST, LONGEST = 30, 150
"""Minimum and maximum duration of an activity, in ticks."""
LINE_SECONDS = 20


def names(count: int) -> tuple[str, ...]:
    """Return `count` different names."""
    size = len(FIRST)
    return tuple(f"{FIRST[n % size]} {LAST[(7 * n + n // size) % size]}" for n in range(count))


def make_up(runs: Path, name: str, agents: int, hours: int = 4, seed: int = 0) -> RunFolder:
    """Write a history of `agents` people over `hours` hours, and return its folder."""
    town = Town.load(shipped_town())
    spec = RunSpec(
        name=name,
        town="",
        town_name=town.name,
        town_hash=town_hash(town.folder),
        cast=names(agents),
        seed=seed,
        models=ModelSpecs(fast="standin", strong="standin", embedder="words"),
    )
    folder = new_run(runs, spec, overwrite=True)
    end = (BEGINNING + hours) * 3600
    with folder.lock(), History(folder) as history:
        history.set_goal(end, -1)
        for batch in Life(town, spec).batches(BEGINNING * 3600, end):
            history.commit(batch)
    return folder


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
        self.town, self.map, self.seed, self.names = town, town.map, spec.seed, spec.cast
        self.clock = Clock(spec.tick_seconds)
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
        made = self._batch(0)
        for body in self.bodies:
            place = self.map.arena_at(body.tile)
            action = Action(
                kind="sleep", activity="sleeping", place=place, start=0, end=start, emoji="😴",
                object="asleep",
            )  # fmt: skip
            self._do(made, body, action)
        queue = [(first + draw(self.seed, "rises", n) % 60, n) for n in range(len(self.bodies))]
        queue.sort()
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

    def _begin(self, made: CommitBatch, body: Body) -> None:
        chance = draw(self.seed, body.name, made.tick)
        other = self._near(made.tick, body) if chance % 5 == 0 else None
        if other is not None:
            self._talk(made, body, other)
            return
        thing, path = self._free_thing(made.tick, body)
        self._leave(made, body)
        body.arrives = made.tick + self.clock.ticks_to_walk(max(0, len(path) - 1))
        move = None
        if len(path) > 1:
            move = Move(agent=body.name, tick=made.tick, end_tick=body.arrives, path=path)
            made.moves.append(move)
            body.tile = path[-1]
        body.free = body.arrives + SHORTEST + chance % (LONGEST - SHORTEST)
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

    def _free_thing(self, tick: int, body: Body) -> tuple[str, tuple[Tile, ...]]:
        for attempt in range(20):
            thing = pick(self.things, self.seed, body.name, tick, attempt)
            path = self.town.paths.path(body.tile, self.map.tiles_of(thing))
            if path and self.taken[thing] < self.map.objects[thing].capacity:
                return thing, path
        paths = ((x, self.town.paths.path(body.tile, self.map.tiles_of(x))) for x in self.things)
        return next((thing, path) for thing, path in paths if path)

    def _leave(self, made: CommitBatch, body: Body) -> None:
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
        place = self.map.arena_at(body.tile)
        for other in self.bodies:
            is_there = other.arrives <= tick < other.free and other is not body
            if is_there and self.map.arena_at(other.tile) == place:
                return other
        return None

    def _talk(self, made: CommitBatch, body: Body, other: Body) -> None:
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
        end, place = made.at + count * LINE_SECONDS, self.map.arena_at(body.tile)
        talk = Talk(
            id=key, participants=(body.name, other.name), place=place, start=made.at, end=end,
            lines=lines, ended_by=lines[-1].speaker,
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
        kept = [("perceive", kind, text)]
        if body.deeds % 6 == 0:
            kept.append(("reflect_insights", "thought", "I like mornings better than I admit."))
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
