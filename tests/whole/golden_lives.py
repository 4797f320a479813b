"""Lives that differ in what a thought can meet, and the digest of each of their tables.

`SMOLVILLE_UPDATE_GOLDEN=1 uv run pytest tests/whole/test_golden.py` writes the digests anew.
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


def _disturbed(town: Town) -> Mapping[int, Sequence[OperatorRequest]]:
    wanted = [
        OperatorRequest(kind="whisper", target=ADA, text=f"Remember errand {n}") for n in range(10)
    ]
    wanted.append(wishes.announcement("The fair opens at noon in the square"))
    wanted.append(wishes.object_state("the coffee machine is on fire", town_map=town.map))
    cafe = "Copper Kettle: counter room"
    enters = wishes.entrance(ROSA, "a reporter", cafe, town=town, cast=(ADA, BEN))
    rings = wishes.call(NILS, "a man from the bank", BEN, town=town)
    return {3000: wanted, 3599: [enters, rings], **LATER}


LIVES: dict[str, Life] = {
    "small": Life(asked=RunRequest(cast=3, schedule="lockstep"), until=DAY),
    "small-two-days": Life(asked=RunRequest(cast=2, seed=2), until=2 * DAY - 6 * HOUR),
    "clumsy": Life(
        asked=RunRequest(cast=3, seed=4, tick_seconds=30, rules=Rules(examples=2)),
        until=14 * HOUR,
        model=CLUMSY,
    ),
    "hopeless": Life(
        asked=RunRequest(cast=3, seed=5, rules=Rules(repairs=1, history="last")),
        until=14 * HOUR,
        model=HOPELESS,
    ),
    "disturbed": Life(
        asked=RunRequest(cast=3, schedule="lockstep"), until=14 * HOUR, put=_disturbed
    ),
    "shipped": Life(asked=RunRequest(cast=5, seed=5), until=DAY, is_small=False),
}
"""Name to life."""


def kept(name: str) -> dict[str, str]:
    """Return the digest of each table of a life as somebody last looked at it."""
    found: dict[str, str] = orjson.loads((GOLDEN / f"{name}.json").read_bytes())
    return found
