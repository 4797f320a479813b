"""People without minds who act on what they see: an engine's schedules tried in seconds.

What each of them does next is a hash of everything in sight, and is written into the history. So a
schedule that lets somebody see too early, too late, or from the wrong place, changes the digest.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.chance import draw, pick
from smolville.agents.mind import Mind
from smolville.agents.persona import Persona
from smolville.agents.places import join_address
from smolville.agents.times import Clock
from smolville.graphs.surroundings import Intent, Stimulus
from smolville.history.digest import digest_parts
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.memory_store import MemoryStore
from smolville.history.reader import RunReader
from smolville.history.records import Intervention, ThoughtRow
from smolville.history.spec import ModelSpecs, RunSpec
from smolville.models.embedding.embedder import open_embedder
from smolville.world.adapter import Grant
from smolville.world.cluster_runner import ClusterRunner, Schedule
from smolville.world.engine import Engine
from smolville.world.inbox_reader import InboxReader
from smolville.world.streams import Streams
from smolville.world.thinkers import ThoughtOutcome
from smolville.world.tile_town import TileTown
from smolville.world.town.town import Town

LASTING = (0, 40, 300, 1201, 2399)
"""Seconds that an action may last."""


class Wanderers:
    """Thinkers (`world.thinkers.Thinkers`) who think nothing and see everything."""

    def __init__(self, world: TileTown, places: Sequence[str], seed: int) -> None:
        self._world, self._places, self._seed = world, places, seed
        self._seen: dict[str, frozenset[str]] = {}

    async def think(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> ThoughtOutcome:
        """Look around, and go somewhere, talk to somebody, or go on as before."""
        around = self._world.surroundings(agent, tick, stimuli)
        body = around.body
        percepts = around.percepts
        sights = around.sights
        here = [each for each in sights if not each.is_elsewhere]
        objects = [join_address(each.arena, thing) for each in here for thing in each.objects]
        taken = [address for address in objects if around.is_taken(address)]
        in_sight = (stimuli, body, percepts, sights, taken)
        key = (self._seed, agent, tick, in_sight)
        for _ in range(draw("slow", *key) % 9):
            await asyncio.sleep(0)
        self._seen[agent] = self._seen.get(agent, frozenset()) | {each.key for each in percepts}
        return ThoughtOutcome(
            agent=agent,
            intent=self._intent(agent, key, tick, [p.subject for p in percepts if p.can_talk]),
            row=ThoughtRow(
                agent=agent,
                tick=tick,
                at=around.at,
                stimuli=tuple(each.kind for each in stimuli),
                path=(),
                intent=f"saw {draw(*key)}",
            ),
            mind=Mind(
                name=agent,
                currently="",
                requirement="",
                seen=dict.fromkeys(self._seen[agent], around.at),
            ),
        )

    def _intent(
        self, agent: str, key: tuple[object, ...], tick: int, others: list[str]
    ) -> Intent | None:
        choice = draw("what", *key) % 4
        if others and choice == 0:
            return Intent(start_talk=pick(others, "whom", *key), reason="on trial")
        if choice == 1:
            return None
        start = self._world.clock.at(tick)
        place = pick(self._places, "where", *key)
        action = Action(
            kind="sleep" if draw("asleep", *key) % 12 == 0 else "do",
            activity=f"doing {draw('do', *key) % 10}",
            place=place,
            start=start,
            end=start + pick(LASTING, "long", *key),
            object_state=f"in state {draw('state', *key) % 5}",
        )
        return Intent(action=action, reason="on trial")

    async def talk(self, grant: Grant, tick: int, changed: object) -> ThoughtOutcome:
        """Hold a talk of some length."""
        key = (self._seed, grant.id, grant.place, grant.begins)
        for _ in range(draw("slow", *key) % 9):
            await asyncio.sleep(0)
        clock = self._world.clock
        line = TalkLine(speaker=grant.participants[0], text=f"{draw(*key)}", at=grant.begins)
        talk = Talk(
            id=grant.id,
            participants=grant.participants,
            place=grant.place,
            start=clock.at(tick),
            end=clock.at(clock.tick_at(grant.begins + pick(LASTING, "talk", *key))),
            lines=(line,),
            ended_by=grant.participants[0],
        )
        return ThoughtOutcome(agent=grant.id, talk=talk)


def wander(
    town: Town,
    cast: Sequence[Persona],
    schedule: Schedule,
    *,
    seed: int,
    tick_seconds: int,
    until: int,
    wishes: Sequence[Intervention] = (),
    world: type[TileTown] = TileTown,
    rate: float | None = None,
    asked: Sequence[OperatorRequest] = (),
) -> Mapping[str, str]:
    """Return the digest of each table after these people have wandered about for `until` ticks.

    With a `rate`, somebody wants so many town seconds to be lived in a second at most. `wishes` are
    carried out as they are, `asked` are put into the inbox.
    """
    stage = world(town, cast, Clock(tick_seconds), seed)
    names = tuple(persona.name for persona in cast)
    with TemporaryDirectory(prefix="wander") as runs:
        folder = new_run(Path(runs), _spec(names, seed, tick_seconds, schedule))
        if rate is not None:
            with Inbox(folder) as inbox:
                inbox.set_pace(rate, 600)
        with Inbox(folder) as inbox:
            for request in asked:
                inbox.put(request)
        _live(folder, stage, _places(town), until, wishes)
        with RunReader(folder) as reader:
            assert reader.watermark() == until - 1
            return digest_parts(reader)


def _live(
    folder: RunFolder,
    world: TileTown,
    places: Sequence[str],
    until: int,
    wishes: Sequence[Intervention],
) -> None:
    spec, embedder = folder.spec, open_embedder("words")
    with History(folder) as history, Inbox(folder) as inbox:
        for wish in wishes:
            history.record(wish)
        runner = ClusterRunner(
            world=world,
            thinkers=Wanderers(world, places, spec.seed),  # type: ignore[arg-type]
            minds={},
            streams=Streams(spec.cast, embedder),
            history=history,
            store=MemoryStore(folder, embedder.name, embedder.dimension),
            seed=spec.seed,
            schedule=spec.schedule,
        )
        engine = Engine(
            world=world,
            runner=runner,
            inbox=inbox,
            intake=InboxReader(world=world, history=history, inbox=inbox),
        )
        engine.begin({}, wishes)
        asyncio.run(engine.run(until))


def _spec(names: tuple[str, ...], seed: int, tick_seconds: int, schedule: Schedule) -> RunSpec:
    return RunSpec(
        name="wander",
        town="",
        town_name="",
        town_hash="",
        cast=names,
        seed=seed,
        tick_seconds=tick_seconds,
        schedule=schedule,
        models=ModelSpecs(fast="standin", strong="standin", embedder="words"),
    )


def _places(town: Town) -> list[str]:
    """Return all rooms, objects and the outdoors."""
    return ["outdoors", *town.map.arenas, *town.map.objects]
