"""A run is watched while it is lived: every row once, for as long as somebody listens."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.records import CommitBatch
from smolville.history.spec import ModelSpecs, RunSpec
from smolville.world.town.town import Town, shipped_town, town_hash
from tests.fixtures.crowd import BEGINNING, Life, names
from tests.fixtures.waiting import until
from tests.viewer.playback.conftest import Asked, answering, tracks


@pytest.fixture(scope="module")
def batches() -> list[CommitBatch]:
    """An hour of four people, commit by commit."""
    town = Town.load(shipped_town())
    life = Life(town, _spec("never"))
    return list(life.batches(BEGINNING * 3600, (BEGINNING + 1) * 3600))


def _spec(name: str) -> RunSpec:
    return RunSpec(
        name=name, town="", town_name="Smolville", town_hash=town_hash(shipped_town()),
        cast=names(4), seed=1,
        models=ModelSpecs(fast="standin", strong="standin", embedder="words"),
    )  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = new_run(tmp_path / "runs", _spec("now"))
    History(folder).close()
    return folder


@pytest.fixture
def asked(run: RunFolder) -> Iterator[Asked]:
    with answering(run.path.parent) as found:
        yield found


class Events:
    """What one watcher hears."""

    def __init__(self, answer: httpx.Response) -> None:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in answer.headers
        self._lines = answer.iter_lines()

    def next(self) -> tuple[str, Any, str]:
        """The next event: name, data, id; a comment is an event without a name."""
        name, data, key = "", None, ""
        for line in self._lines:
            kind, _, value = line.partition(": ")
            if kind == "event":
                name = value
            elif kind == "data":
                data = json.loads(value)
            elif kind == "id":
                key = value
            elif not kind and value:
                name = "comment"
            elif not line and name:
                return name, data, key
        raise AssertionError("the stream has ended")

    def tracks(self) -> Any:
        """The next delta; in a long silence there is none."""
        name, data, key = self.next()
        while name != "tracks":
            assert name != "comment", "nothing comes"
            name, data, key = self.next()
        assert key == (str(data["until"]) if data["until"] >= 0 else "")
        return data

    def tracks_until(self, tick: int) -> list[Any]:
        """The deltas that come until a tick is told."""
        found = [self.tracks()]
        while found[-1]["until"] < tick:
            found.append(self.tracks())
        return found


def watching(asked: Asked, query: str = "", **headers: Any) -> Any:
    return asked.client.stream("GET", f"/replay/now/live{query}", headers=headers)


def nobody_watches() -> bool:
    """True once the last watcher is gone."""
    return until(
        lambda: not any("replay" in each.name for each in threading.enumerate()),
        "the last watcher's end",
    )


def test_every_row_comes_once_to_everybody(
    run: RunFolder, asked: Asked, batches: list[CommitBatch]
) -> None:
    half, last = len(batches) // 2, batches[-1].tick
    with watching(asked) as one:
        events = Events(one)
        first = events.next()
        assert first[0] == "tracks" and first[1]["until"] == -1 and first[1]["state"] == "new"
        assert events.next()[:2] == ("pulse", None)
        with run.lock(), History(run) as history:
            for batch in batches[:half]:
                history.commit(batch)
            heard = events.tracks_until(batches[half - 1].tick)
            with watching(asked, "?since=3") as two:
                others = Events(two)
                late = others.tracks_until(batches[half - 1].tick)
                for batch in batches[half:]:
                    history.commit(batch)
                heard += events.tracks_until(last)
                late += others.tracks_until(last)
            assert heard[-1]["state"] == "running"
        # The owner is gone: only the state is new.
        data = events.tracks()
        assert data["state"] == "paused" and data["deeds"] == []
    assert nobody_watches()
    for deltas, since in ((heard, -1), (late, 3)):
        whole = tracks(run, since)
        for part in ("moves", "deeds", "objects", "talks", "notes"):
            assert [row for each in deltas for row in each[part]] == whole[part]


def test_one_comes_back_where_the_line_broke(
    run: RunFolder, asked: Asked, batches: list[CommitBatch]
) -> None:
    with History(run) as history:
        for batch in batches:
            history.commit(batch)
    middle = batches[len(batches) // 2].tick
    with watching(asked, "?since=-1", **{"Last-Event-ID": str(middle)}) as stream:
        (told,) = Events(stream).tracks_until(batches[-1].tick)
    assert told["since"] == middle and told["deeds"] == tracks(run, middle)["deeds"] != []
    for known in ("nonsense", "-5", "٤".encode(), "9" * 40):
        with watching(asked, f"?since={middle}", **{"Last-Event-ID": known}) as stream:
            assert Events(stream).tracks_until(batches[-1].tick)[0]["since"] == middle


def test_a_history_that_is_begun_anew_is_told(
    run: RunFolder, asked: Asked, batches: list[CommitBatch]
) -> None:
    with History(run) as history:
        history.commit(batches[0])
        history.commit(batches[1])
    with watching(asked) as stream:
        events = Events(stream)
        events.tracks_until(batches[1].tick)
        shutil.rmtree(run.path)
        other = new_run(run.path.parent, _spec("now"))
        with History(other) as history:
            history.commit(batches[0])
        heard = [events.next()]
        while heard[-1][0] != "again":
            heard.append(events.next())
        told = events.tracks_until(0)
        assert told[0]["since"] == -1 and len(told[-1]["deeds"]) == 4
    with watching(asked, "?since=99999") as stream:
        assert Events(stream).next()[0] == "again"
