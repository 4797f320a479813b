"""A person who takes part sees the town live at their pace, and it waits for them."""

import asyncio
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.world.engine import Pacing
from tests.history.made_up import spec
from tests.world.stage import people, town
from tests.world.wanderers import wander

LONG = 600.0
FASTEST = 1e9
ANNOUNCED = OperatorRequest(kind="announcement", target="", text="The fair opens at noon")


@dataclass
class Waiting:
    """A run that stands at tick 10, with nothing to happen before tick 70."""

    folder: RunFolder
    told: list[int] = field(default_factory=list)

    def next_tick(self) -> int:
        """The tick that is lived next."""
        with History(self.folder) as history, Inbox(self.folder) as inbox:
            pacing = Pacing(
                inbox=inbox,
                tick_seconds=10,
                is_asked=lambda: bool(inbox.take(history.intervention_ids, 11)),
                say_how_far=self.told.append,
            )
            return asyncio.run(pacing.wait(10, 70))


@pytest.fixture
def run(tmp_path: Path) -> Waiting:
    return Waiting(new_run(tmp_path / "runs", spec()))


@pytest.mark.parametrize("rate", [None, FASTEST])
def test_a_town_lives_on_at_once_without_a_pace_or_at_a_great_one(
    run: Waiting, rate: float | None
) -> None:
    if rate is not None:
        with Inbox(run.folder) as inbox:
            inbox.set_pace(rate, LONG)
    assert run.next_tick() == 70


def test_a_town_that_waits_takes_in_a_request_at_its_very_next_tick(run: Waiting) -> None:
    with Inbox(run.folder) as inbox:
        inbox.set_pace(0, LONG)
        inbox.put(ANNOUNCED)
        assert inbox.pace() == 0
    assert run.next_tick() == 11


def test_a_wish_for_a_pace_ends_by_itself(run: Waiting) -> None:
    with Inbox(run.folder) as inbox:
        inbox.set_pace(0, 0)
        assert inbox.pace() is None
    assert run.next_tick() == 70
    assert run.told == []


def test_a_pace_changes_nothing_of_what_happens() -> None:
    lived = partial(wander, town(), people(), seed=3, tick_seconds=10, until=120)
    assert lived("free", rate=FASTEST) == lived("free") == lived("lockstep", rate=FASTEST)
