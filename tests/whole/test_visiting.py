"""A town that is visited: seen, met, talked with, remembered; the same whatever happens to it."""

import signal
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.agents.mind import Mind
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.reader import RunReader
from smolville.history.records import read_mind
from smolville.reports.story import write_story
from smolville.world import wishes
from smolville.world.town.town import Town
from tests.fixtures.warm import warm
from tests.whole.lives import HOUR, differing, parts
from tests.whole.visits import (
    ADA,
    BEN,
    CORA,
    LATER,
    LINES,
    MORNING,
    NILS,
    ROSA,
    answering,
    begun,
    live,
    put,
    reporter,
)

EARLIER = 8 * HOUR + 1200
"""Ada has talked with nobody yet."""
NOON = 10 * HOUR + 1800
CAFE = "Copper Kettle: counter room"
ABOUT = "a reporter from the county paper"


def coming(town: Path) -> tuple[OperatorRequest, OperatorRequest]:
    """Rosa walks into Ada's café, and Nils rings Ben."""
    place = Town.load(town)
    return (
        wishes.entrance(ROSA, ABOUT, CAFE, town=place, cast=(ADA, BEN, CORA)),
        wishes.call(NILS, "a man from the bank", BEN, town=place),
    )


@pytest.fixture(scope="module")
def visited(morning: RunFolder, town: Path) -> RunFolder:
    """Half an hour with a reporter in the house and a banker on the telephone; to be read only."""
    folder = begun(morning, "visited")
    put(folder, *coming(town))
    with answering(folder, reporter):
        live(folder, NOON, LATER)
    return folder


def test_a_visitor_is_met_and_remembered(visited: RunFolder) -> None:
    with RunReader(visited) as reader:
        (held,) = reader.talks(ROSA)
        assert held.participants == (ROSA, ADA)
        assert (held.lines[0].speaker, held.lines[0].text) == (ROSA, LINES[0])
        assert (len(held.lines), held.ended_by) == (2, ROSA)
        kept = [memory.text for memory in reader.memories(ADA)]
        assert f"{ROSA}, {ABOUT}, is taking notes" in kept
        assert any(text.startswith(f"{ADA} talked with {ROSA}") for text in kept)
        row = reader.mind(ADA)
        assert row is not None
        mind = read_mind(row.blob, Mind)
        assert mind is not None
        assert mind.impressions[ROSA].talks == 1
        assert mind.talked[ROSA] >= held.end
        assert not any(ROSA in memory.text for memory in reader.memories(BEN)), "he is at work"
        assert {step.agent for step in reader.steps()} <= {ADA, BEN, CORA}
        assert reader.agents() == (ADA, BEN, CORA)


def test_a_visit_is_in_the_history_and_told(visited: RunFolder, town: Path) -> None:
    with RunReader(visited) as reader:
        rosa, nils = reader.visits()
        assert (rosa.name, rosa.about, nils.by_telephone) == (ROSA, ABOUT, True)
        assert rosa.left is not None
        assert ROSA in reader.positions(rosa.left - 1)
        assert ROSA not in reader.positions(rosa.left)
        first, *_, last = reader.moves(ROSA)
        assert (first.tick, last.end_tick) == (rosa.came, rosa.left)
        kinds = [each.kind for each in reader.interventions(after=MORNING // 10 - 1)]
        assert kinds.count("visitor_says") == 2 + 3
        assert {"visitor_enters", "visitor_acts", "visitor_talks", "visitor_leaves"} <= set(kinds)
        story = write_story(reader, Town.load(town).start_date)
    assert f"{ROSA}, {ABOUT}, comes to Copper Kettle, counter room." in story
    assert f"{NILS}, a man from the bank, rings {BEN}." in story
    assert f"> - **{ROSA}:** {LINES[0]}" in story
    assert f"{ROSA} leaves the town." in story


def test_a_visit_is_the_same_under_both_schedules(
    morning: RunFolder, visited: RunFolder, town: Path
) -> None:
    folder = begun(morning, "serial")
    folder = replace(folder, spec=folder.spec.model_copy(update={"schedule": "serial"}))
    put(folder, *coming(town))
    with answering(folder, reporter):
        live(folder, NOON, LATER)
    assert differing(parts(visited), parts(folder)) == []


def test_killed_while_it_waits_for_a_line_it_asks_for_nothing_twice(
    morning: RunFolder, visited: RunFolder, town: Path
) -> None:
    folder = begun(morning, "killed")
    put(folder, *coming(town))
    words = ["-m", "tests.whole.visits", folder.path.parent, folder.name, str(NOON)]
    with warm(words, Path(__file__).parents[2]) as child, Inbox(folder) as inbox:
        while not (turns := inbox.turns()):
            assert child.returncode is None
        assert inbox.say(turns[0].talk, 0, LINES[0])
        assert not inbox.say(turns[0].talk, 0, "once more")
        while not (turns := inbox.turns()):
            assert child.returncode is None
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        assert turns[0].n == 2
        assert inbox.say(turns[0].talk, 2, LINES[1]), "a turn can be answered while nobody lives"
    with RunReader(folder) as reader:
        paid = reader.connection.execute("SELECT rowid, * FROM calls").fetchall()
    with answering(folder, reporter) as seen:
        live(folder, NOON, LATER)
    assert [n for talk, n in seen if NILS in talk] == [4]
    assert differing(parts(visited), parts(folder)) == []
    with RunReader(folder) as reader:
        now = reader.connection.execute("SELECT rowid, * FROM calls").fetchall()
    assert now[: len(paid)] == paid


def test_a_fork_in_the_middle_of_a_talk_carries_the_visit_on(visited: RunFolder) -> None:
    with RunReader(visited) as reader:
        (held,) = reader.talks(ROSA)
    forked = fork(visited.path.parent, visited.name, "visited_fork", held.start // 10 + 1)
    put(forked, wishes.leave(ROSA))
    live(forked, NOON)
    assert differing(parts(visited), parts(forked)) == []


def test_without_patience_a_visitor_who_says_nothing_keeps_nobody(
    morning: RunFolder, town: Path
) -> None:
    folder = begun(morning, "silent")
    _, call = coming(town)
    (wish,) = put(folder, call)
    live(folder, MORNING + 300, patience=0.0)
    with RunReader(folder) as reader, Inbox(folder) as inbox:
        (deed,) = reader.deeds(NILS)
        assert (deed.outcome, deed.reason) == ("refused", "they found no words")
        assert inbox.turns() == []
        assert inbox.fate(wish).state == "taken"
        assert reader.faults() == []
