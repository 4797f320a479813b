"""Which server answered a call: kept beside the calls, counted, cut with them, in no digest."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.graphs.loop.ledger import Call
from smolville.history.calls import SERVERS
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch
from smolville.reports.health import Health, health
from tests.history.made_up import CAST, batch, call, spec

ONE, TWO = "llamacpp:http://127.0.0.1:8080", "llamacpp:http://192.168.1.5:8080"
Made = Callable[..., RunFolder]


def ended(tick: int) -> CommitBatch:
    """A commit of one step of one call of the first of the cast."""
    made, who = batch(tick), CAST[0]
    step = replace(made.steps[0], owner=who, agent=who, ordinal=0, attempts=1, outcome="clean")
    made.steps, made.readings = [step], []
    return made


def asked(tick: int, server: str = "", lost_by: tuple[str, ...] = ()) -> Call:
    """A call that a server answered, after others had lost it."""
    return replace(
        call(tick), model=ONE, server=server, lost_by=lost_by, retries=len(lost_by), lost="[]"
    )


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """What writes calls and a commit for each tick of theirs."""

    def make(name: str, *calls: Call) -> RunFolder:
        folder = new_run(tmp_path, spec(name))
        with History(folder) as history:
            for one in calls:
                history.store(one)
            for tick in sorted({one.key.tick for one in calls}):
                history.commit(ended(tick))
        return folder

    return make


def health_of(folder: RunFolder) -> Health:
    """The counts of a run, which add up."""
    with RunReader(folder) as reader:
        assert reader.faults() == []
        return health(reader)


def rows_of(folder: RunFolder) -> list[tuple[int, str, int, int]]:
    """Tick, server, answered and lost of every row."""
    with RunReader(folder) as reader:
        query = f"SELECT tick, server, answered, lost FROM {SERVERS} ORDER BY 1, 2"
        return reader.connection.execute(query).fetchall()


def test_calls_and_losses_count_for_their_servers(made: Made) -> None:
    folder = made("both", asked(0, ONE), asked(1, TWO), asked(2, ONE, (TWO, TWO)))
    found = health_of(folder)
    assert {name: part.recorded for name, part in found.servers.items()} == {ONE: 2, TWO: 1}
    assert {name: part.steps for name, part in found.servers.items()} == {ONE: 2, TWO: 1}
    assert {name: part.retries for name, part in found.servers.items()} == {ONE: 0, TWO: 2}
    assert found.total.retries == found.agents[CAST[0]].retries == 2
    assert list(found.models) == [ONE]


def test_a_call_answered_anew_has_the_server_that_answered_last(made: Made) -> None:
    folder = made("anew", asked(0, ONE, (TWO,)), asked(0, TWO, (ONE,)))
    assert rows_of(folder) == [(0, ONE, 0, 1), (0, TWO, 1, 1)]
    assert {name: part.recorded for name, part in health_of(folder).servers.items()} == {
        ONE: 0,
        TWO: 1,
    }
    alone = made("alone", asked(0, TWO), asked(0))
    assert list(health_of(alone).servers) == [ONE], "its model has one server again"


def test_a_call_that_was_given_up_counts_as_lost_by_each_server(made: Made, tmp_path: Path) -> None:
    folder = made("given-up", asked(0, ONE))
    with History(folder) as history:
        told = '["it hung up.", "it hung up.", "it hung up."]'
        history.give_up(replace(asked(1, "", (TWO, ONE, TWO)), lost=told))
    found = health_of(folder)
    assert {name: part.retries for name, part in found.servers.items()} == {ONE: 1, TWO: 2}
    assert found.total.retries == 3
