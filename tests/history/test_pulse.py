"""A living run tells how it is doing, may be held between two ticks, and is the same day after."""

import asyncio
import json
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from smolville.agents.times import Clock
from smolville.graphs.loop.ledger import AskEvent
from smolville.history.digest import digest
from smolville.history.folder import RunFolder
from smolville.history.inbox import pause, resume
from smolville.history.observers import RunObserver
from smolville.history.progress_file import ProgressWriter, read_pulse
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch
from smolville.models.open import open_chat
from smolville.world.cluster_runner import Schedule
from smolville.world.one_room import ROOM, OneRoom
from smolville.world.run_request import RunRequest, create_run_in
from smolville.world.run_resources import RunResources
from smolville.world.simulation import open_world_simulation
from tests.fixtures.waiting import until
from tests.world.stage import ADA, BEN, CORA, people

LODGERS = people(home=ROOM, work=ROOM, known_places=())
MORNING = 27_000
STATES = {"living", "paused", "waiting"}


@dataclass
class Holding(RunObserver):
    """Holds a run at a tick, looks at its pulse and its history, and lets it go on."""

    tick: int = 400
    folder: RunFolder | None = None
    seen: list[dict[str, Any]] = field(default_factory=list)
    marks: list[int | None] = field(default_factory=list)

    def on_commit(self, batch: CommitBatch) -> None:
        """Read what another process would read."""
        assert self.folder is not None
        found = read_pulse(self.folder)
        assert found is not None
        self.seen.append(found)

    def on_tick(self, tick: int) -> None:
        """Hold the run, as another process does."""
        if self.folder is not None and tick >= self.tick and not self.marks:
            pause(self.folder)
            pause(self.folder)
            self.marks.append(None)

    def on_pause(self, is_held: bool) -> None:
        """Let it go on from elsewhere."""
        if is_held:
            threading.Thread(target=self._let_go).start()

    def _let_go(self) -> None:
        folder = self.folder
        assert folder is not None
        until(lambda: (read_pulse(folder) or {}).get("state") == "paused", "the held pulse")
        self.seen.append(read_pulse(folder) or {})
        for _ in range(2):
            with RunReader(folder) as reader:
                self.marks.append(reader.watermark())
            # A run that is not held would live on meanwhile.
            time.sleep(0.15)
        resume(folder)


def lived(
    runs: Path, watch: RunObserver | None, schedule: Schedule, *, is_watched: bool = False
) -> RunFolder:
    """A morning in one room."""
    chat, _ = open_chat("standin", seed=0)
    world = OneRoom(LODGERS, Clock(60))
    asked = RunRequest(schedule=schedule)
    folder = create_run_in(runs, "amber", world, LODGERS, (chat, chat), asked)
    if isinstance(watch, Holding):
        watch.folder = folder
    means = RunResources(is_watched=is_watched)
    with open_world_simulation(folder, world, LODGERS, (chat, chat), watch, means) as simulation:
        asyncio.run(simulation.run(MORNING))
    return folder


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run that nobody held."""
    return lived(tmp_path_factory.mktemp("plain"), None, "lockstep")


def test_a_held_run_tells_so_and_lives_the_same_day(tmp_path: Path, plain: RunFolder) -> None:
    watch = Holding()
    folder = lived(tmp_path, watch, "lockstep")
    assert watch.marks[1] is not None
    assert watch.marks[1] >= watch.tick - 1
    assert watch.marks[1] == watch.marks[2]
    held = next(each for each in watch.seen if each["state"] == "paused")
    assert {each["state"] for each in watch.seen} <= STATES
    assert held["slots"] >= 1
    assert (held["in_flight"], held["waiting"]) == (0, 0)
    assert held["calls"] > 0
    assert held["tokens_per_second"] > 0
    assert set(held["done"]) == {ADA, BEN, CORA}
    assert held["outcomes"]["clean"] > 0
    assert set(held["outcomes"]) == {"clean", "mended", "repaired", "escalated", "fallback"}
    assert held["said"] == ""
    assert read_pulse(folder) is None
    assert not (folder.path / "pulse.json").exists()
    with RunReader(folder) as one, RunReader(plain) as other:
        assert one.watermark() == other.watermark() == MORNING // 60 - 1
        assert digest(one) == digest(other)


def test_a_pulse_says_who_thinks_and_writes_nothing_more_for_it(folder: RunFolder) -> None:
    pulse = ProgressWriter(folder, is_watched=True)
    assert pulse.wants_asks and not ProgressWriter(folder).wants_asks
    pulse.beat()
    written = (folder.path / "pulse.json").read_bytes()
    pulse.asks(ADA, AskEvent(agent=ADA, step="plan_day", ordinal=0, attempt=1))
    pulse.asks("talk/1", AskEvent(agent=BEN, step="say", ordinal=0, attempt=0))
    assert (folder.path / "pulse.json").read_bytes() == written
    pulse.beat()
    with folder.lock():
        found = read_pulse(folder) or {}
    assert (found["state"], found["said"]) == ("living", "")
    assert found["thinking"] == [
        {"who": ADA, "step": "plan_day", "try": "second try", "seconds": 0},
        {"who": BEN, "step": "say", "try": "", "seconds": 0},
    ]
    for owner in (ADA, "talk/1"):
        pulse.asks(owner, None)
    assert pulse.plain()["thinking"] == []


def test_a_pulse_of_nobody_is_none(folder: RunFolder) -> None:
    (folder.path / "pulse.json").write_text(json.dumps({"state": "living"}), encoding="utf-8")
    assert read_pulse(folder) is None
    with folder.lock():
        assert read_pulse(folder) == {"state": "living"}
        for damaged in ("{", "[]", ""):
            (folder.path / "pulse.json").write_text(damaged, encoding="utf-8")
            assert read_pulse(folder) is None
