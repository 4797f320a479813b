"""Reading a run: any moment of it, beside its owner, and every count."""

from dataclasses import replace

from smolville.history.counts import Counts
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch, Move
from tests.history.made_up import CAST, batch, calls, lived, write

ROSA, TOM, ZOFIE = CAST


def test_a_reader_sees_each_commit_of_a_running_owner(folder: RunFolder) -> None:
    with History(folder) as history:
        history.commit(batch(0))
        with RunReader(folder) as reader:
            before = reader.version()
            assert reader.watermark() == 0
            assert reader.version() == before
            history.commit(batch(1))
            assert reader.version() != before
            assert reader.watermark() == 1
            assert [row.tick for row in reader.thoughts()] == [0, 1]


def test_a_snapshot_stays_as_it_was_while_the_owner_goes_on(folder: RunFolder) -> None:
    with History(folder) as history:
        history.commit(batch(0))
        with RunReader(folder) as reader:
            with reader.snapshot():
                assert reader.watermark() == 0
                write(history, range(1, 30))
                assert reader.watermark() == 0
                assert len(reader.deeds()) == 1
            assert reader.watermark() == 29


def test_everything_can_be_seen_as_of_a_moment(folder: RunFolder) -> None:
    lived(folder, range(12))
    with RunReader(folder) as reader:
        assert reader.agents() == CAST
        assert reader.body(ROSA, until=5) == batch(3).bodies[ROSA]
        assert reader.mind(ROSA, until=5) == batch(3).minds[0]
        assert reader.mind(TOM, until=0) is None
        assert [one.tick for one in reader.memories(ROSA, until=5)] == [0, 0, 3, 3]
        assert {one.tick for one in reader.changes(ROSA, until=5)} == {0, 3}
        stove = reader.object_states(until=5)["Oak Cottage: kitchen: stove"]
        assert stove == batch(5).objects[0]
        assert [talk.start for talk in reader.talks(until=9)] == [0, 50]
        assert reader.talks(ZOFIE) == []
        assert len(reader.talks(TOM)) == 3
        assert [row.tick for row in reader.thoughts(ROSA, since=1, until=8)] == [3, 6]
        assert [row.tick for row in reader.deeds(ROSA, since=1, until=8)] == [3, 6]
        assert [row.tick for row in reader.steps(ROSA, since=1, until=3)] == [3, 3]
        assert reader.doing(ROSA, until=2) is None  # What it wanted at tick 0 was refused.
        assert reader.doing(ROSA, until=5) == batch(3).deeds[0]
        assert [wish.tick for wish in reader.interventions()] == [4, 11]
        assert [wish.tick for wish in reader.interventions(after=4)] == [11]
        assert reader.thought(ROSA, 1) is None


def test_a_talk_is_shown_with_its_lines_and_its_steps(folder: RunFolder) -> None:
    made = batch(5)
    talk = made.talks[0]
    made.steps = [replace(step, owner=talk.id) for step in made.steps]
    with History(folder) as history:
        for one in calls(5, made.thoughts[0].agent):
            history.store(replace(one, key=replace(one.key, owner=talk.id)))
        history.commit(made)
    with RunReader(folder) as reader:
        view = reader.talk(talk.id)
        assert reader.talk("nobody") is None
    assert view is not None
    assert (view.talk, view.tick) == (talk, 5)
    assert [len(step.attempts) for step in view.steps] == [2, 1]


def test_moves_are_those_under_way(folder: RunFolder) -> None:
    walks = [
        Move(agent=ROSA, tick=0, end_tick=8, path=tuple((x, 0) for x in range(9))),
        Move(agent=ROSA, tick=4, end_tick=5, path=((4, 0), (4, 1))),
        Move(agent=TOM, tick=3, end_tick=3, path=((9, 9),)),
    ]
    with History(folder) as history:
        history.commit(CommitBatch(tick=4, at=40, agents=CAST, moves=walks))
    with RunReader(folder) as reader:
        assert len(reader.moves(since=6)) == 1
        assert reader.moves(TOM, until=2) == []


def test_calls_whose_step_was_never_committed_do_not_count(folder: RunFolder) -> None:
    with History(folder) as history:
        write(history, range(3))
        for one in calls(3, ROSA):
            history.store(one)
        # Of an earlier life of tick 0, in which the step took one attempt more.
        history.store(replace(calls(0, ROSA)[1], key=replace(calls(0, ROSA)[1].key, attempt=2)))
    with RunReader(folder) as reader:
        assert Counts.summed(reader.counts().values()).calls == 9
        assert reader.faults() == []


def test_a_lost_call_is_a_fault(folder: RunFolder) -> None:
    lived(folder, range(3))
    with History(folder) as history:
        history._connection.execute("DELETE FROM calls WHERE tick = 1 AND ordinal = 1")
    with RunReader(folder) as reader:
        assert reader.faults() == [f"{TOM}, react: 3 attempts, but 2 calls"]
