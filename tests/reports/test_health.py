"""The honesty ledger of made-up calls: every key, every sum, also of what was never committed."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.graphs.loop.ledger import Call
from smolville.history.drafting import new_run
from smolville.history.history import History
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch
from smolville.reports.health import (
    Health,
    format_answers,
    format_calls,
    health,
    plain_line,
)
from tests.history.made_up import CAST, batch, call, calls, spec

ROSA, TOM, _ = CAST
Write = Callable[[Iterable[CommitBatch], Iterable[Call]], Health]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """What writes commits and calls into a history, and reads its health."""

    def write(batches: Iterable[CommitBatch], asked: Iterable[Call]) -> Health:
        folder = new_run(tmp_path, spec())
        with History(folder) as history:
            for one in asked:
                history.store(one)
            for made in batches:
                history.commit(made)
        with RunReader(folder) as reader:
            return health(reader)

    return write


def ended(tick: int) -> CommitBatch:
    """A commit of one thought with one step of one call."""
    made = batch(tick)
    made.steps = [replace(made.steps[0], ordinal=0, attempts=1, outcome="clean")]
    made.readings = []
    return made


@pytest.mark.parametrize(
    ("told", "speed"),
    [({"reply_ms": 500.0}, 60 / 0.5), ({}, 60 / 0.8125), ({"completion_tokens": None}, None)],
)
def test_speed_is_the_servers_own_or_that_of_the_whole_call(
    told: dict[str, float | None], speed: float | None, written: Write
) -> None:
    one = replace(call(0), **told)  # type: ignore[arg-type]
    assert written([ended(0)], [one]).total.tokens_per_second == pytest.approx(speed)


def test_what_was_never_committed_was_paid_for(written: Write) -> None:
    second = calls(0, ROSA)[1]
    relived = replace(second, key=replace(second.key, attempt=2))
    found = written([batch(0)], [*calls(0, ROSA), relived, *calls(1, TOM)])
    line = plain_line(found.total)
    assert (line["steps_taken"], line["attempts"], line["unfinished"]) == (2, 7, 4)
    assert line["prompt_tokens"] == 7 * 900
    assert found.faults == ()
    # The second attempt's server told nothing of its cache.
    assert found.total.cached_share == pytest.approx(700 / 900)
    assert "4 of unfinished thoughts" in format_calls(found.total)
    agents = {name: (each.steps, each.recorded) for name, each in found.agents.items()}
    assert agents == {ROSA: (2, 4), TOM: (0, 3)}


def test_a_step_counts_with_the_model_that_wrote_its_last_reply(written: Write) -> None:
    first, second, clean = calls(0, ROSA)
    made = batch(0)
    made.steps[0] = replace(made.steps[0], outcome="escalated")
    found = written([made], [first, replace(second, model="big", tier="strong"), clean])
    told = {name: (each.steps, each.recorded) for name, each in found.models.items()}
    assert told == {"big": (1, 1), "standin": (1, 2)}
    assert found.models["big"].outcomes["escalated"] == 1


def test_an_odd_answer_is_counted_beside_how_it_was_got(written: Write) -> None:
    made = batch(0)
    told = {
        "odd": ("It is late.", "It is late again.", "Who?"),
        "odd_kinds": ("hours", "hours", "fact"),
    }
    made.steps[0] = replace(made.steps[0], **told)  # type: ignore[arg-type]
    found = written([made], calls(0, ROSA))
    line = plain_line(found.total)
    assert (line["steps_taken"], line["odd"]) == (2, 1)
    assert line["odd_kinds"] == {"fact": 1, "hours": 2}
    assert format_answers(found.total) == (
        "2 steps: 50.0 % clean, 50.0 % repaired, 0.0 % fallback; 50.0 % objected to."
    )


def test_a_lost_row_is_told(written: Write) -> None:
    first, second, _ = calls(0, ROSA)
    assert written([batch(0)], [first, second]).faults == (
        f"{ROSA}, react: 3 attempts, but 2 calls",
    )
