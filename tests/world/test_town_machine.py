"""A town under random wishes: whatever people want, the town stays a town.

Beside it lives a shadow: the same town, saved and taken up again at random moments. Nothing that
either of them says may differ.
"""

from collections.abc import Sequence
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from smolville.agents.action import Talk, TalkLine
from smolville.agents.chance import shuffle_items
from smolville.agents.times import Clock
from smolville.graphs.meeting import MOST_SPEAKERS
from smolville.graphs.surroundings import Intent
from smolville.history.moments import tile_at
from smolville.history.records import Intervention, Move, ObjectState, Tile
from smolville.world.adapter import Changes, Grant
from smolville.world.perception import near
from smolville.world.tile_town import TileTown
from tests.world.stage import doing, people, town

CAST = people(5, vision=4, attention=3)
NAMES = tuple(persona.name for persona in CAST)
BUSY = ("Copper Kettle: counter room", "Copper Kettle: counter room: coffee machine")
PLACES = (
    *BUSY * 12,
    *town().map.arenas,
    *town().map.objects,
    "outdoors",
    "Nowhere: at: all",
)

NOTHING = st.none()
ACTIONS = st.tuples(
    st.sampled_from(["resting", "brewing", "sleeping", "waiting"]),
    st.sampled_from(PLACES),
    st.integers(1, 900),
    st.sampled_from(["", "hissing"]),
)
TALKS = st.sampled_from((*NAMES, "Nobody Atall"))
WISHES = st.one_of(NOTHING, ACTIONS, ACTIONS, ACTIONS, TALKS, TALKS)
FAILS = st.sampled_from([False] * 9 + [True])


class TownMachine(RuleBasedStateMachine):
    """Drives a town and its shadow through the phases of ticks."""

    @initialize(seconds=st.sampled_from([1, 7, 10, 60, 600]), seed=st.integers(0, 3))
    def begin(self, seconds: int, seed: int) -> None:
        self.clock = Clock(seconds)
        self.seed = seed
        self.world = TileTown(town(), CAST, self.clock, seed)
        self.shadow = TileTown(town(), CAST, self.clock, seed)
        self.tick = 0
        self.told: dict[str, set[str]] = {name: set() for name in NAMES}
        self.objects: dict[str, ObjectState] = {}
        self.walks: dict[str, Move] = {}
        self.stood: dict[str, Tile] = self.world.state.tiles(0)
        self.live(st.just(doing("sleeping", "", end=600)), st.just(False), None)

    def both(self, method: str, *given: Any) -> Any:
        """Do the same in both towns; they must say the same."""
        one, other = (getattr(each, method)(*given) for each in (self.world, self.shadow))
        assert one == other, f"{method}: {one} is not {other}"
        return one

    @rule(data=st.data(), ticks=st.sampled_from([1, 10, 40]))
    def lives(self, data: st.DataObject, ticks: int) -> None:
        """Go on to the next ticks at which anything may happen, and live them."""
        for _ in range(ticks):
            self.tick = self.both_next()
            self.live(WISHES, FAILS, data)
            self.everybody_stands_somewhere()
            self.no_object_is_used_by_more_than_it_holds()
            self.talks_are_mutual()

    def both_next(self) -> int:
        """The next tick by the town; its shadow, which was restored, may want to look earlier."""
        one, other = (each.next_tick(self.tick, NAMES) for each in (self.world, self.shadow))
        assert self.tick < other <= one
        if other < one:
            assert self.shadow.stimuli(other, NAMES) == {}
            assert self.shadow.arrivals(other, NAMES) == {}
        return one

    def live(self, wishes: Any, fails: Any, data: st.DataObject | None) -> None:
        """Live the tick: arrivals, thoughts (some of which fail), what they want, talks."""
        tick = self.tick
        for changes in self.both("arrivals", tick, NAMES).values():
            self.note(changes)
        due = self.both("stimuli", tick, NAMES)
        intents: dict[str, Intent] = {}
        for name, why in due.items():
            around = self.both("surroundings", name, tick, why)
            if data is not None and data.draw(fails, label=f"{name} fails"):
                self.both("excuse", name, tick)
                continue
            self.told[name].update(percept.key for percept in around.percepts)
            self.both("settle", name, tick, frozenset(self.told[name]))
            intents[name] = self.intent(name, data.draw(wishes, label=name) if data else None)
        order = shuffle_items(list(intents), self.seed, tick, "resolve")
        done: Changes = self.both("resolve", tick, order, intents)
        self.note(done)
        for grant in done.granted:
            self.note(self.both("hold", tick, self.talk(grant)))

    def intent(self, name: str, wish: Any) -> Intent:
        """What somebody wants: nothing, a talk, or to do something somewhere."""
        at = self.clock.at(self.tick)
        if isinstance(wish, str):
            return Intent(start_talk=wish, reason="news")
        if wish is None:
            figure = self.world.figures[name]
            if figure.action is not None and figure.action.end > at:
                return Intent()
            wish = ("resting", "outdoors", 900, "")
        activity, place, seconds, state = wish
        kind = {"sleeping": "sleep", "waiting": "wait"}.get(activity, "do")
        action = doing(activity, place, kind=kind, start=at, end=at + seconds, object_state=state)
        return Intent(action=action)

    def talk(self, grant: Grant) -> Talk:
        """A granted talk as it was held."""
        assert 2 <= len(set(grant.participants)) == len(grant.participants) <= MOST_SPEAKERS
        assert grant.begins >= self.clock.at(self.tick)
        return Talk(
            id=grant.id,
            participants=grant.participants,
            place=grant.place,
            start=self.clock.at(self.tick),
            end=self.clock.at(self.clock.tick_at(grant.begins + 60)),
            lines=(TalkLine(speaker=grant.participants[0], text="Hello.", at=grant.begins),),
        )

    def note(self, changes: Changes) -> None:
        """Keep what a history keeps: the last state of objects, the last walk."""
        self.objects.update((state.address, state) for state in changes.objects)
        self.walks.update((move.agent, move) for move in changes.moves)

    @rule(name=st.sampled_from(NAMES))
    def is_whispered_to(self, name: str) -> None:
        """Somebody hears an inner voice at the next tick that is lived."""
        self.deliver("whisper", name, "look up")

    @rule(address=st.sampled_from(list(town().map.objects)), state=st.sampled_from("ab"))
    def is_set(self, address: str, state: str) -> None:
        """An operator changes an object."""
        self.deliver("object_state", address, state)

    def deliver(self, kind: Any, target: str, text: str) -> None:
        self.tick += 1
        wish = Intervention(id="x", tick=self.tick, kind=kind, target=target, text=text)
        self.note(self.both("deliver", wish))
        self.live(NOTHING, st.just(False), None)

    @rule()
    def is_saved_and_restored(self) -> None:
        """The shadow is taken up again from what a commit holds."""
        bodies = self.world.bodies(NAMES)
        assert bodies == self.shadow.bodies(NAMES)
        self.shadow = TileTown(town(), CAST, self.clock, self.seed)
        self.shadow.restore(self.tick, bodies, self.objects, self.told)
        assert self.shadow.figures == self.world.figures
        assert self.shadow.state.objects == self.world.state.objects
        assert self.shadow.bodies(NAMES) == bodies

    @invariant()
    @precondition(lambda self: hasattr(self, "world"))
    def everybody_stands_somewhere(self) -> None:
        """Everybody is in one place, on no wall, and came there on foot."""
        tiles = self.world.state.tiles(self.tick)
        assert tuple(tiles) == NAMES
        assert all(town().map.is_walkable(tile) for tile in tiles.values())
        assert all(
            tile_at(walk, self.tick, self.clock) == tiles[name] for name, walk in self.walks.items()
        )

    @invariant()
    @precondition(lambda self: hasattr(self, "world"))
    def no_object_is_used_by_more_than_it_holds(self) -> None:
        """Capacity holds, and whoever uses an object stands on it."""
        for address, thing in town().map.objects.items():
            using = self.world.figures.users(address, self.tick)
            assert len(using) <= thing.capacity
            tiles = [self.world.state.tiles(self.tick)[name] for name in using]
            assert all(tile in town().map.tiles_of(address) for tile in tiles)

    @invariant()
    @precondition(lambda self: hasattr(self, "world"))
    def talks_are_mutual(self) -> None:
        """Who is in a talk is in that one alone, and so are the others; all come together."""
        at = self.clock.at(self.tick)
        for name, figure in self.world.figures.items():
            if not figure.is_talking(at):
                continue
            assert figure.talk is not None
            assert name in figure.talk.participants
            held: Sequence[Any] = [self.world.figures[one] for one in figure.talk.participants]
            assert [each.talk for each in held] == [figure.talk] * len(held)
            assert {(each.action.start, each.action.end) for each in held} == {
                (figure.talk.start, figure.talk.end)
            }
            if at >= figure.talk.lines[0].at:
                one, *others = (each.tile_at(self.tick, self.clock) for each in held)
                assert all(near(one, other) < len(held) for other in others)


TestTownMachine = TownMachine.TestCase
TestTownMachine.settings = settings(
    max_examples=60,
    stateful_step_count=25,
    database=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
