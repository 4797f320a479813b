"""The page marks the deeds that follow a routine, and a history without the table has none."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Browser, expect

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.reports.happenings import happenings
from smolville.reports.reused import reused_deeds
from smolville.viewer.export import replay_of, take
from smolville.viewer.playback.tracks import REUSED
from smolville.world.run_request import RunRequest
from tests.fixtures.browser import new_page
from tests.fixtures.small_town import write_small_town
from tests.whole.lives import DAY, HOUR, lived


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Two people who live a day and a morning."""
    folder = tmp_path_factory.mktemp("reused")
    town = write_small_town(folder / "small_town")
    return lived(folder / "runs", "again", RunRequest(town=town, cast=2), DAY + 13 * HOUR)


def _flagged(run: RunFolder) -> set[tuple[str, int]]:
    replay: dict[str, Any] = replay_of(run)
    names = [each["name"] for each in replay["head"]["people"]]
    deeds = replay["tracks"]["deeds"]
    return {(names[deed[0]], deed[1]) for deed in deeds if deed[12] & REUSED}


def test_replay_and_story_mark_what_the_history_says_was_reused(run: RunFolder) -> None:
    with RunReader(run) as reader:
        kept = reused_deeds(reader.reuses(), reader.deeds())
        told = {each.who[0] for each in happenings(reader, reader.watermark() or 0) if each.reused}
    assert kept and _flagged(run) == set(kept)
    assert told == {agent for agent, _ in kept}


def test_the_page_says_reused_beside_such_a_deed(
    run: RunFolder, tmp_path: Path, browser: Browser
) -> None:
    with RunReader(run) as reader:
        agent, tick = min(reused_deeds(reader.reuses(), reader.deeds()), key=lambda each: each[1])
    path = tmp_path / "town.html"
    minutes = tick * run.spec.tick_seconds // 60 + 1
    when = f"{minutes // 1440 + 1}-{minutes % 1440 // 60:02}:{minutes % 60:02}"
    with new_page(browser) as page:
        page.goto(f"{take(run, path).path.as_uri()}?at={when}&who={quote_plus(agent)}&play=0")
        expect(page.locator(".reused-mark").first).to_have_text("reused")


def test_a_history_of_an_earlier_version_is_read_without_the_table(
    run: RunFolder, tmp_path: Path
) -> None:
    shutil.copytree(run.path, tmp_path / "older")
    older = RunFolder.open(tmp_path, "older")
    with sqlite3.connect(older.history_path) as connection:
        connection.execute("DROP TABLE reuses")
    connection.close()
    assert _flagged(older) == set()
    assert replay_of(older)["tracks"].get("faults") is None
    with RunReader(older) as reader:
        assert reader.reuses() == []
