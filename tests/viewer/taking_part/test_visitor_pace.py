"""A visitor whose page has closed: the town waits for them, and then they leave it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.records import Intervention
from smolville.viewer.config import AppConfig
from smolville.viewer.taking_part.acts import RunActions
from smolville.viewer.taking_part.dialogs import VisitorPace
from tests.fixtures.viewing import copied
from tests.viewer.taking_part.test_interview_room import reluctant

ROSA = "Rosa Lind"


@pytest.fixture
def folder(lived_runs: Path, tmp_path: Path) -> RunFolder:
    """A run with a visitor in town."""
    folder = RunFolder.open(copied(lived_runs, tmp_path), "town")
    fields = '{"about": "a reporter", "place": "outdoors", "doing": "looking around"}'
    entered = Intervention(id="in", tick=4000, kind="visitor_enters", target=ROSA, text=fields)
    with History(folder) as history:
        history.record(entered)
    return folder


@contextmanager
def paced(folder: RunFolder, rate: float | None = 10.0) -> Iterator[VisitorPace]:
    """A page that has asked for a pace, with hardly any patience."""
    acts = RunActions(AppConfig(runs=folder.path.parent, minds=reluctant), folder.name)
    pace = VisitorPace(acts, patience=0.0)
    asyncio.run(pace.keep({"rate": rate, "visitor": ROSA}))
    yield pace


def asked(folder: RunFolder) -> list[OperatorRequest]:
    """What waits in the run's inbox."""
    with Inbox(folder) as inbox:
        return inbox.waiting()


LEAVES = OperatorRequest(kind="visitor_leaves", target=ROSA, text="")


def test_a_visitor_whose_page_has_closed_leaves_a_town_that_is_lived(folder: RunFolder) -> None:
    with folder.lock(), paced(folder) as pace:
        asyncio.run(pace.see_off())
        assert asked(folder) == [LEAVES]
        pace.leave()
        assert asked(folder) == [LEAVES], "once"


def test_a_visitor_stays_where_another_page_goes_on_with_them(folder: RunFolder) -> None:
    with folder.lock(), paced(folder) as pace:
        asyncio.run(VisitorPace(pace.acts).keep({"rate": 0, "visitor": ROSA}))
        pace.leave()
    assert asked(folder) == []


def test_a_page_without_a_visitor_any_more_lets_the_town_live_freely(folder: RunFolder) -> None:
    with paced(folder) as pace, Inbox(folder) as inbox:
        assert inbox.pace() == 10.0
        asyncio.run(pace.keep({"rate": None, "visitor": ROSA}))
        assert inbox.pace() is None
        pace.close()
        assert inbox.pace() is None
