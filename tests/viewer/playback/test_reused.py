"""The replay marks the deeds that follow a routine."""

from typing import Any

import pytest

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.reports.happenings import happenings
from smolville.reports.stretches import reused_deeds
from smolville.viewer.export import replay_of
from smolville.viewer.playback.tracks import REUSED
from smolville.world.run_request import RunRequest
from tests.fixtures.small_town import write_small_town
from tests.whole.lives import DAY, HOUR, lived


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """One person who lives a day and a morning."""
    folder = tmp_path_factory.mktemp("reused")
    town = write_small_town(folder / "small_town")
    return lived(folder / "runs", "again", RunRequest(town=town, cast=1), DAY + 10 * HOUR)


def _flagged(run: RunFolder) -> set[tuple[str, int]]:
    replay: dict[str, Any] = replay_of(run)
    names = [each["name"] for each in replay["head"]["people"]]
    deeds = replay["tracks"]["deeds"]
    return {(names[deed[0]], deed[1]) for deed in deeds if deed[12] & REUSED}


def test_replay_and_story_mark_what_the_history_says_was_reused(run: RunFolder) -> None:
    with RunReader(run) as reader:
        kept = reused_deeds(reader.reuses(), reader.deeds())
        told = {
            each.who[0]
            for each in happenings(reader, reader.watermark() or 0)
            if "(reused)" in each.text
        }
    assert kept and _flagged(run) == set(kept)
    assert told == {agent for agent, _ in kept}
