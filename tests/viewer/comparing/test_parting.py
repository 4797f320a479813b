"""Where two runs part: by what people did and said."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from history.folder import RunFolder
from history.reader import RunReader
from tests.whole.lives import DAY, HOUR
from viewer.compare_page import SharedPast, describe_divergence, part

NOON = 12 * HOUR


@pytest.fixture
def readers(runs: Path) -> Iterator[dict[str, RunReader]]:
    with ExitStack() as opened:
        yield {
            name: opened.enter_context(RunReader(RunFolder.open(runs, name)))
            for name in ("one", "again", "other")
        }


def test_equal_runs_do_not_part(readers: dict[str, RunReader]) -> None:
    parting = part(readers["one"], readers["again"])
    assert parting.at is None
    assert parting.otherwise == 0
    assert parting.shared > 20
    assert parting.until == 15 * HOUR
    assert describe_divergence(parting, "day 1 15:00", ("one", "again")).startswith(
        "They are the same up to day 1 15:00"
    )


def test_a_fork_parts_where_somebody_does_otherwise(readers: dict[str, RunReader]) -> None:
    parting = part(readers["one"], readers["other"])
    assert parting.at is not None
    assert NOON <= parting.at < 14 * HOUR
    assert parting.until == 14 * HOUR
    assert readers["one"].spec.cast[0] in parting.who
    assert parting.shared > 20
    assert "doings are shared" in describe_divergence(
        parting, "Monday 6 May, 12:00", ("one", "other")
    )


def test_people_of_one_run_only_are_named() -> None:
    parting = SharedPast(at=None, until=DAY, only=(("Ada Brook",), ()))
    assert describe_divergence(parting, "", ("a", "b")).endswith("Only a has Ada Brook.")
    crowd = tuple(f"Ada{n}" for n in range(9))
    parting = SharedPast(at=None, until=DAY, only=(crowd, ("Bo Lind", "Cy Wren")))
    told = describe_divergence(parting, "", ("a", "b"))
    assert told.endswith(
        "Only a has Ada0, Ada1, Ada2 and 6 others. Only b has Bo Lind and Cy Wren."
    )
