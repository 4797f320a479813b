"""Both worlds, run without minds or models: nothing is skipped, and restoring changes nothing.

To try a world of your own, copy this file and build that world in `WORLDS`.
"""

from collections.abc import Callable, Mapping, Sequence

import pytest

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.chance import draw, pick
from smolville.agents.times import Clock
from smolville.graphs.surroundings import Intent, Senses, Stimulus
from smolville.history.records import ObjectState
from smolville.world.adapter import Changes, Grant, World
from smolville.world.one_room import OneRoom
from smolville.world.tile_town import TileTown
from tests.world.stage import ADA, BEN, Stage, doing, people, town

TURNS = (1201, 1800, 2399)
"""Durations in seconds of the actions in a trial's future."""
HOUR = 3600
LONG = 4 * HOUR
"""Seconds that a world is run before it is saved, and again afterwards."""


def tile_town(tick: int) -> World:
    return TileTown(town(), people(), Clock(tick), seed=0)


def one_room(tick: int) -> World:
    return OneRoom(people(), Clock(tick))


WORLDS = (tile_town, one_room)


class TickRunner:
    """Runs the phases of a tick as the engine does, with thoughts that only take note."""

    def __init__(
        self, world: World, tick: int = 0, seen: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.world = world
        self.names = tuple(world.names)
        self.tick = tick
        self.objects: dict[str, ObjectState] = {}
        """The latest state of every object whose state was ever changed."""
        self.seen = {name: set((seen or {}).get(name, ())) for name in self.names}
        """The events that each mind has seen."""

    @property
    def at(self) -> int:
        """Town second at which the tick begins."""
        return self.world.clock.at(self.tick)

    def stride(self) -> None:
        """Move on to the next tick at which anything may happen."""
        following = self.world.next_tick(self.tick, self.names)
        assert following > self.tick, f"after tick {self.tick}, `next_tick` is {following}"
        self.tick = following

    def live(self, intents: Mapping[str, Intent], order: Sequence[str] = ()) -> Changes:
        """Run the tick: arrivals, a thought for each person with a stimulus, then the intents."""
        world, tick, done = self.world, self.tick, Changes()
        arrived = world.arrivals(tick, self.names)
        due = world.stimuli(tick, self.names)
        self._check_clusters({*arrived, *due, *intents})
        for name, why in due.items():
            percepts = world.surroundings(name, tick, why).percepts
            assert all(each.subject != name for each in percepts), f"{name} perceives itself"
            self.seen[name].update(percept.key for percept in percepts)
        for name in due:
            world.settle(name, tick, frozenset(self.seen[name]))
        for changes in arrived.values():
            done.add(changes)
        done.add(world.resolve(tick, tuple(order) or tuple(sorted(intents)), intents))
        self.objects.update((state.address, state) for state in done.objects)
        return done

    def around(self, name: str) -> Senses:
        """Return the surroundings that a person would be shown for a thought at this tick."""
        why = self.world.stimuli(self.tick, self.names).get(name, ())
        return self.world.surroundings(name, self.tick, why)

    def doing(self, place: str, seconds: int) -> Intent:
        """Return an intent to do something at a place from now on."""
        action = Action(
            kind="do", activity="standing about", place=place, start=self.at, end=self.at + seconds
        )
        return Intent(action=action, reason="on trial")

    def hold(self, grant: Grant) -> tuple[Talk, Changes]:
        """Hold a granted talk of one line and two minutes, rounded up to a tick."""
        clock, speaker = self.world.clock, grant.participants[0]
        talk = Talk(
            id=grant.id,
            participants=grant.participants,
            place=grant.place,
            start=self.at,
            end=clock.at(clock.tick_at(grant.begins + 120)),
            lines=(TalkLine(speaker=speaker, text="Well, well.", at=grant.begins),),
            ended_by=speaker,
        )
        return talk, self.world.hold(self.tick, talk)

    def future(self, places: Mapping[str, Sequence[str]], seconds: int) -> list[str]:
        """Run for some town seconds, and return everything that happened: one text for each event.

        Everybody goes from place to place, and talks to anybody who comes into sight.
        """
        until, story = self.at + seconds, []
        self.stride()
        while self.at < until:
            due = self.world.stimuli(self.tick, self.names)
            wanted = {name: self._choose(name, why, places[name]) for name, why in due.items()}
            done = self.live({name: each for name, each in wanted.items() if each is not None})
            for grant in tuple(done.granted):
                done.add(self.hold(grant)[1])
            if due or done != Changes():
                story.append(f"tick {self.tick}: {due}, {done}")
            self.stride()
        return story

    def _choose(self, name: str, why: tuple[Stimulus, ...], places: Sequence[str]) -> Intent | None:
        percepts = self.world.surroundings(name, self.tick, why).percepts
        others = [percept.subject for percept in percepts if percept.can_talk]
        if others and draw("talk", name, self.tick) % 3 == 0:
            return Intent(start_talk=pick(others, name, self.tick), reason="on trial")
        if not {"action_ended", "refused"} & {each.kind for each in why}:
            return None
        return self.doing(pick(places, name, self.tick), pick(TURNS, name, self.tick))

    def _check_clusters(self, active: set[str]) -> None:
        """Check that each active person is in one group, with everybody whom its members see."""
        groups = self.world.clusters(self.tick, self.names, active)
        members = [name for group in groups for name in group]
        is_sound = len(members) == len(set(members)) and active <= set(members) <= set(self.names)
        assert is_sound, f"{sorted(active)} are active, and the groups are {groups}"
        for group in groups:
            for name in group:
                near = {percept.subject for percept in self.around(name).percepts}
                apart = near.intersection(self.names).difference(group)
                assert not apart, f"{name} perceives {apart}, who are in no group with {name}"


@pytest.mark.parametrize("tick", [7, 600])
@pytest.mark.parametrize("build", WORLDS)
def test_a_restored_world_goes_on_exactly_as_the_saved_one_did(
    build: Callable[[int], World], tick: int
) -> None:
    world = build(tick)
    trial, names = TickRunner(world), world.names
    known = {persona.name: list(world.known_at_start(persona)) for persona in people()}
    trial.future(known, LONG)
    at, bodies, objects = trial.tick, world.bodies(names), dict(trial.objects)
    seen = {name: tuple(keys) for name, keys in trial.seen.items()}
    first = trial.future(known, LONG)
    world.restore(at, bodies, objects, seen)
    assert world.bodies(names) == bodies
    assert TickRunner(world, at, seen).future(known, LONG) == first
    assert len(first) > 10


class Restless(TileTown):
    """A town that is asked at every tick, and in which everybody always looks around."""

    def next_tick(self, tick: int, agents: Sequence[str]) -> int:
        return tick + 1

    def watching(self, tick: int, agents: Sequence[str]) -> Sequence[str]:
        return agents


def story(kind: type[TileTown], seconds: int, attention: int, until: int) -> tuple[list[str], int]:
    """What happens in a town that begins at tick 0, and at how many ticks it was asked."""
    cast = people(6, vision=4, attention=attention)
    world = kind(town(), cast, Clock(seconds), seed=1)
    trial = TickRunner(world)
    places = [*town().map.arenas, "Copper Kettle: counter room: coffee machine", "outdoors"]
    trial.live({name: trial.doing(places[0], 600) for name in trial.names})
    asked = 0

    def counted(tick: int, agents: Sequence[str]) -> int:
        nonlocal asked
        asked += 1
        return kind.next_tick(world, tick, agents)

    world.next_tick = counted  # type: ignore[method-assign]
    return trial.future(dict.fromkeys(trial.names, tuple(places[:4] + places[-4:])), until), asked


@pytest.mark.parametrize(("seconds", "hours"), [(7, 1), (600, 8)])
def test_striding_tells_the_same_story_as_asking_at_every_tick(seconds: int, hours: int) -> None:
    strode, few = story(TileTown, seconds, 2, hours * HOUR)
    plodded, many = story(Restless, seconds, 2, hours * HOUR)
    for one, other in zip(strode, plodded, strict=False):
        assert one == other
    assert len(strode) == len(plodded)
    assert len(strode) > 10
    assert few <= many


def test_a_quiet_night_is_one_stride() -> None:
    stage = Stage({ADA: (1, 1), BEN: (13, 1)})
    bed = "Fern Cottage: bedroom: bed"
    stage.do(0, ada=doing("sleeping", bed, end=6 * 3600))
    stage.know_everything(0)
    assert stage.next_tick(0, stage.names) == 1, "what has just begun may be seen"
    assert stage.next_tick(0, [BEN]) == 24 * 360, "but not from so far away"
    assert stage.next_tick(1, stage.names) == 6 * 360
    assert stage.next_tick(1, [BEN]) == 24 * 360, "nothing but the next day"


def test_while_somebody_walks_no_tick_is_left_out() -> None:
    stage = Stage({ADA: (1, 1), BEN: (13, 1)})
    (move,) = stage.do(0, ada=doing("going out", "Willow Park: lawn")).moves
    assert [stage.next_tick(tick, stage.names) for tick in range(move.end_tick)] == list(
        range(1, move.end_tick + 1)
    )
    assert stage.next_tick(move.end_tick, stage.names) == 24 * 360
