"""Who waits for others thinks ahead: it changes when calls are made, and nothing else."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from benchmarks.virtual_time import run_virtually
from smolville.history.cut import fork
from smolville.history.observers import untraced
from smolville.history.reader import RunReader
from smolville.models.chat import Chat
from smolville.models.reply import Reply
from smolville.reports.health import format_ahead, health
from smolville.world import free_schedule
from smolville.world.run_request import RunRequest
from smolville.world.run_resources import RunResources
from smolville.world.simulation import open_simulation
from tests.whole.lives import HOUR, begin, parts, standin

UNTIL = 9 * HOUR


@dataclass
class Slow(Chat):
    """The stand-in, whose every reply takes ten seconds."""

    async def ask(self, messages: list[Any], **asked: Any) -> Reply:
        """Answer after a while."""
        import asyncio

        await asyncio.sleep(10.0)
        return await super().ask(messages, **asked)


def slow() -> Chat:
    known = {item.name: getattr(standin(), item.name) for item in fields(Chat)}
    return Slow(**{**known, "is_instant": False, "slots": 8})


@pytest.mark.parametrize("cast", [5])
def test_a_morning_lived_ahead_is_the_same_morning_and_takes_less_time(
    cast: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(free_schedule, "POLL_SECONDS", 3600.0)
    lived, counts = {}, {}
    for is_ahead in (False, True):
        chat = slow()
        folder = begin(tmp_path, f"ahead-{is_ahead}", RunRequest(cast=cast, schedule="free"), chat)
        means = RunResources(ahead=is_ahead)
        with open_simulation(folder, (chat, chat), means=means) as simulation:
            until = simulation.clock.tick_at(UNTIL)
            _, seconds = run_virtually(untraced(simulation.engine.run(until)))
        lived[is_ahead] = (parts(folder), seconds)
        with RunReader(folder) as reader:
            counts[is_ahead] = health(reader).ahead
    assert lived[True][0] == lived[False][0]
    assert lived[True][1] < lived[False][1]
    assert format_ahead(counts[False]) == ""
    assert counts[True].used > 0
    assert f"{counts[True].used:,} used" in format_ahead(counts[True])
    early = fork(tmp_path, "ahead-True", "earlier", 6 * HOUR // 10)
    with RunReader(early) as reader:
        assert sum(reader.ahead()) < sum(counts[True])
