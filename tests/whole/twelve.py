"""Twelve lives that differ in what a thought can meet, and the digest of each of their tables.

`SMOLVILLE_UPDATE_GOLDEN=1 uv run pytest tests/whole/test_twelve.py` writes the digests anew.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson

from smolville.graphs.loop.rules import Rules
from smolville.history.folder import RunFolder
from smolville.history.inbox import OperatorRequest
from smolville.world import wishes
from smolville.world.run_request import RunRequest
from smolville.world.town.town import Town
from tests.fixtures.small_town import write_small_town
from tests.whole.lives import DAY, HOUR, begin, live, standin
from tests.whole.visits import ADA, BEN, LATER, NILS, ROSA, answering, talker
from tests.whole.visits import live as live_with_visits

MODEL = "standin"
CLUMSY = "standin:mistakes=0.3"
HOPELESS = "standin:mistakes=0.9"
TEN = 10 * HOUR
GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True, kw_only=True)
class Life:
    """One life: what is asked for, and what an operator puts into the inbox on the way."""

    asked: RunRequest
    until: int
    is_small: bool = True
    """True for the small town, False for the shipped one."""
    model: str = MODEL
    put: Callable[[Town], Mapping[int, Sequence[OperatorRequest]]] = field(default=lambda town: {})
    """By the tick after which the wishes are left."""

    def lived(self, runs: Path, name: str) -> RunFolder:
        """Return the run's folder, lived to its end."""
        folder_of_town = write_small_town(runs / f"town of {name}") if self.is_small else None
        asked = replace(self.asked, town=folder_of_town, fast=self.model)
        chat = standin(asked.seed, self.model)
        folder = begin(runs, name, asked, chat)
        plan = self.put(Town.load(folder_of_town)) if folder_of_town else {}
        if not plan:
            live(folder, self.until, chat)
            return folder
        with answering(folder, talker()):
            live_with_visits(folder, self.until, plan)
        return folder


def _whispers(town: Town) -> Mapping[int, Sequence[OperatorRequest]]:
    """Return ten whispers to one agent at one moment, and one to another later."""
    ten = [
        OperatorRequest(kind="whisper", target=ADA, text=f"Remember errand {n}") for n in range(10)
    ]
    return {
        TEN // 10: ten,
        5400: [OperatorRequest(kind="whisper", target=BEN, text="Rest a little")],
    }


def _visitor(town: Town) -> Mapping[int, Sequence[OperatorRequest]]:
    """Return a visitor who walks in, talks, and leaves; another one rings up."""
    cafe = "Copper Kettle: counter room"
    enters = wishes.entrance(ROSA, "a reporter", cafe, town=town, cast=(ADA, BEN))
    rings = wishes.call(NILS, "a man from the bank", BEN, town=town)
    return {3599: [enters, rings], **LATER}


def _announcement(town: Town) -> Mapping[int, Sequence[OperatorRequest]]:
    """Return an announcement in the morning, and an object that is not as it should be."""
    fire = wishes.object_state("the coffee machine is on fire", town_map=town.map)
    return {TEN // 10: [wishes.announcement("The fair opens at noon in the square"), fire]}


LIVES: dict[str, Life] = {
    "small": Life(asked=RunRequest(cast=3, schedule="lockstep"), until=DAY),
    "small-serial": Life(asked=RunRequest(cast=3, seed=1, schedule="serial"), until=DAY),
    "small-two-days": Life(asked=RunRequest(cast=2, seed=2), until=2 * DAY - 6 * HOUR),
    "small-half-minutes": Life(asked=RunRequest(cast=3, seed=3, tick_seconds=30), until=DAY),
    "clumsy": Life(asked=RunRequest(cast=3, seed=4), until=DAY, model=CLUMSY),
    "hopeless": Life(
        asked=RunRequest(cast=3, seed=5, rules=Rules(repairs=1, history="none")),
        until=DAY,
        model=HOPELESS,
    ),
    "examples": Life(
        asked=RunRequest(cast=3, seed=6, rules=Rules(examples=2)),
        until=DAY // 2,
        model=CLUMSY,
    ),
    "whispers": Life(
        asked=RunRequest(cast=3, seed=7, schedule="lockstep"), until=DAY, put=_whispers
    ),
    "visitor": Life(asked=RunRequest(cast=3, schedule="lockstep"), until=14 * HOUR, put=_visitor),
    "announcement": Life(
        asked=RunRequest(cast=3, seed=9, schedule="lockstep"), until=14 * HOUR, put=_announcement
    ),
    "shipped": Life(
        asked=RunRequest(cast=3, seed=5, schedule="lockstep"), until=DAY, is_small=False
    ),
    "crowd": Life(asked=RunRequest(cast=25, seed=10), until=10 * HOUR, is_small=False),
}
"""Name to life."""


def kept(name: str) -> dict[str, str]:
    """Return the digest of each table of a life as somebody last looked at it."""
    found: dict[str, str] = orjson.loads((GOLDEN / f"{name}.json").read_bytes())
    return found
