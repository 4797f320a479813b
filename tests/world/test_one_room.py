"""The world without a map, driven by the very minds that live in the tile town."""

import asyncio
from pathlib import Path

import pytest

from smolville.agents.times import Clock
from smolville.history.digest import digest_parts
from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.reader import RunReader
from smolville.models.open import open_chat
from smolville.world.cluster_runner import Schedule
from smolville.world.one_room import ROOM, OneRoom
from smolville.world.run_request import RunRequest, create_run_in
from smolville.world.simulation import open_world_simulation
from tests.world.stage import ADA, people

LODGERS = people(home=ROOM, work=ROOM, known_places=())
AFTERNOON = 13 * 3600
"""By then everybody has slept, planned, and talked."""


def lived(tmp_path: Path, schedule: Schedule, tick: int = 60) -> RunFolder:
    """Half a day in one room: a run is made for any world, and minds move in."""
    chat, _ = open_chat("standin", seed=0)
    world = OneRoom(LODGERS, Clock(tick))
    asked = RunRequest(schedule=schedule)
    folder = create_run_in(tmp_path / "runs", schedule, world, LODGERS, (chat, chat), asked)
    with Inbox(folder) as inbox:
        inbox.put(OperatorRequest(kind="whisper", target=ADA, text="Somebody should open a window"))
    with open_world_simulation(folder, world, LODGERS, (chat, chat)) as simulation:
        asyncio.run(simulation.run(AFTERNOON))
    return folder


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Half a day in ticks of a minute; only to be read."""
    return lived(tmp_path_factory.mktemp("day"), "lockstep")


def test_the_same_minds_live_a_day_in_one_room(day: RunFolder) -> None:
    with RunReader(day) as reader:
        assert reader.faults() == []
        assert [row.failed for row in reader.thoughts() if row.failed] == []
        assert {deed.action.place for deed in reader.deeds() if deed.outcome == "accepted"} == {
            ROOM
        }
        for persona in LODGERS:
            kinds = {deed.action.kind for deed in reader.deeds(persona.name)}
            assert {"sleep", "do"} <= kinds
            steps = {step.step for step in reader.steps(persona.name)}
            assert {"plan_day", "plan_hours", "decompose"} <= steps
            assert "ground_block" not in steps, "where there is one place, no model is asked for it"
        assert reader.talks()
        assert reader.thoughts(ADA)[0].stimuli.count("inner_voice") == 1
        assert reader.watermark() == 13 * 60 - 1


def test_a_day_in_one_room_is_the_same_under_both_schedules(day: RunFolder, tmp_path: Path) -> None:
    with RunReader(day) as one, RunReader(lived(tmp_path, "serial")) as other:
        assert digest_parts(one) == digest_parts(other)
