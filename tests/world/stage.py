"""A small town on a stage: people put where a test wants them, and what they do told in a line."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.persona import Persona
from smolville.agents.times import Clock
from smolville.graphs.surroundings import Intent, Percept, Stimulus
from smolville.history.records import Tile
from smolville.world.adapter import Changes, Grant
from smolville.world.tile_town import TileTown
from smolville.world.town.town import Town
from tests.fixtures.small_town import write_small_town

ADA, BEN, CORA = "Ada Brook", "Ben Hollis", "Cora Vance"
CAFE = "Copper Kettle: counter room"
LAWN = "Willow Park: lawn"
MACHINE = f"{CAFE}: coffee machine"
COUNTER = f"{CAFE}: counter"
FAR_AWAY = 10**9


@cache
def town() -> Town:
    """The small town, read once."""
    with TemporaryDirectory() as folder:
        return Town.load(write_small_town(Path(folder) / "town"))


def people(count: int = 3, **more: object) -> tuple[Persona, ...]:
    """The town's three people, and as many others like them as are wanted."""
    three = town().cast()
    others = [three[0].model_copy(update={"name": f"Extra {number}"}) for number in range(3, count)]
    return tuple(each.model_copy(update=more) for each in (*three[:count], *others))


def doing(
    activity: str = "resting",
    place: str = LAWN,
    *,
    start: int = 0,
    end: int = FAR_AWAY,
    **more: object,
) -> Action:
    """An action, which lasts unless it is told otherwise."""
    kind = "sleep" if activity == "sleeping" else "do"
    values = {"kind": kind, "activity": activity, "place": place, "start": start, "end": end}
    return Action(**{**values, **more})


class Stage(TileTown):
    """A tile town in which everybody has planned the day, rests, and knows what is in sight."""

    def __init__(
        self, tiles: Mapping[str, Tile], cast: tuple[Persona, ...] | None = None, tick: int = 10
    ) -> None:
        cast = tuple(each for each in cast or people() if each.name in tiles)
        super().__init__(town(), cast, Clock(tick), seed=0)
        for name, tile in tiles.items():
            place = town().map.arena_at(tile)
            figure = replace(self.figures[name], tile=tile, day=1, action=doing(place=place))
            self.figures[name] = figure

    def put(self, name: str, **more: object) -> None:
        """Change somebody's body."""
        self.figures[name] = replace(self.figures[name], **more)

    def seen_by(self, name: str, tick: int = 0) -> list[Percept]:
        """What somebody perceives."""
        return list(self.surroundings(name, tick, ()).percepts)

    def subjects(self, name: str, tick: int = 0) -> list[str]:
        """Of whom and what somebody perceives something."""
        return [percept.subject for percept in self.seen_by(name, tick)]

    def shown(self, name: str, tick: int = 0) -> dict[str, str]:
        """Object to unusual state, as somebody sees them."""
        sights = self.surroundings(name, tick, ()).sights
        return {thing: state for sight in sights for thing, state in sight.states}

    def do(self, tick: int, order: Collection[str] = (), **actions: Action) -> Changes:
        """Let people (by first name, in lower case) begin an action."""
        named = {name: name.split()[0].lower() for name in self.names}
        intents = {
            name: Intent(action=actions[first]) for name, first in named.items() if first in actions
        }
        return self.resolve(tick, tuple(order) or tuple(intents), intents)

    def ask(self, tick: int, *wishes: tuple[str, str]) -> Changes:
        """Let people wish to talk with somebody, in this order."""
        intents = {name: Intent(start_talk=other, reason="news") for name, other in wishes}
        return self.resolve(tick, [name for name, _ in wishes], intents)

    def talk(self, tick: int, grant: Grant, seconds: int = 120) -> Talk:
        """A granted talk as it was held."""
        end = self.clock.at(self.clock.tick_at(grant.begins + seconds))
        line = TalkLine(speaker=grant.participants[0], text="Hello.", at=grant.begins)
        return Talk(
            id=grant.id,
            participants=grant.participants,
            place=grant.place,
            start=self.clock.at(tick),
            end=end,
            lines=(line,),
        )

    def know_everything(self, tick: int) -> None:
        """Let everybody have seen what there is to see, and settle what they were told."""
        for name in self.names:
            seen = {*self.seen[name], *(percept.key for percept in self.seen_by(name, tick))}
            self.settle(name, tick, frozenset(seen))

    def kinds(self, tick: int) -> dict[str, list[str]]:
        """Who must think at a tick, and the kinds of reasons."""
        due: dict[str, tuple[Stimulus, ...]] = self.stimuli(tick, self.names)
        return {name: [stimulus.kind for stimulus in why] for name, why in due.items()}
