"""A run that goes on, from wherever it paused, lives the day of one that never paused."""

from dataclasses import replace
from pathlib import Path

from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.reader import RunReader
from smolville.world.run_request import RunRequest
from tests.whole.lives import AFTERNOON, HOUR, begin, differing, live, lived, parts


def test_going_on_to_farther_goals_equals_one_long_run(
    day: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    folder = begin(tmp_path, "pieces", small)
    with RunReader(day) as reader:
        talk = reader.talks()[0]
    for until in (1, 7 * HOUR + 123, talk.start + 1, talk.end - 5, 11 * HOUR, AFTERNOON):
        live(folder, until)
    assert differing(parts(day), parts(folder)) == []


def test_pieces_fit_whatever_a_tick_is(small: RunRequest, tmp_path: Path) -> None:
    asked = replace(small, tick_seconds=7)
    whole = lived(tmp_path, "whole", asked, 10 * HOUR)
    pieces = begin(tmp_path, "pieces", asked)
    for until in (8 * HOUR + 1, 9 * HOUR + 1234, 10 * HOUR):
        live(pieces, until)
    assert differing(parts(whole), parts(pieces)) == []


def test_a_fork_with_nothing_else_in_it_has_the_same_future(day: RunFolder, tmp_path: Path) -> None:
    with RunReader(day) as reader:
        talk = reader.talks()[0]
    for number, tick in enumerate((0, talk.start // 10)):
        forked = _forked(day, tmp_path, f"fork-{number}", tick)
        live(forked, AFTERNOON)
        assert differing(parts(day), parts(forked)) == [], f"forked at tick {tick}"


def test_a_fork_to_which_something_else_happens_has_another_future(
    day: RunFolder, tmp_path: Path
) -> None:
    forked = _forked(day, tmp_path, "other", 3600)
    with Inbox(forked) as inbox:
        inbox.put(OperatorRequest(kind="whisper", target="Ada Brook", text="You left the stove on"))
    live(forked, AFTERNOON)
    with RunReader(forked) as reader, RunReader(day) as whole:
        assert reader.thoughts(until=3599) == whole.thoughts(until=3599)
    assert {"thoughts", "memories", "interventions"} <= set(differing(parts(day), parts(forked)))


def _forked(day: RunFolder, tmp_path: Path, name: str, tick: int) -> RunFolder:
    made = fork(day.path.parent, day.name, f"{tmp_path.name[:20]}-{name}", tick)
    return made
