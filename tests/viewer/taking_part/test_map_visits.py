"""What a visitor's clicks on the map ask of the town, and what the page says that they wait for."""

from pathlib import Path
from typing import Any

import pytest

from agents.errors import RunError
from history.folder import RunFolder
from history.inbox import Inbox
from tests.fixtures.viewing import copied
from tests.viewer.taking_part.test_interview_room import reluctant
from viewer.house import AppRuns
from viewer.taking_part.acts import RunActions
from viewer.taking_part.map_visits import explain_wait, send

CAFE = "Copper Kettle Cafe: main room"


@pytest.fixture
def acts(lived_runs: Path, tmp_path: Path) -> RunActions:
    """The actions on a copy of a lived run."""
    return RunActions(AppRuns(runs=copied(lived_runs, tmp_path), minds=reluctant), "town")


@pytest.mark.parametrize(
    ("act", "kind", "text"),
    [
        ({"act": "walk", "place": CAFE}, "visitor_walks", CAFE),
        ({"act": "talk", "whom": "Walter Brandt"}, "visitor_talks", "Walter Brandt"),
        ({"act": "leave"}, "visitor_leaves", ""),
    ],
)
def test_a_click_becomes_a_request_of_the_visitor(
    acts: RunActions, act: dict[str, Any], kind: str, text: str
) -> None:
    sent = send(acts, {"visitor": "Rosa Lind", **act})
    with Inbox(RunFolder.open(acts.house.runs, "town")) as inbox:
        [wish] = inbox.waiting()
    assert (wish.kind, wish.target, wish.text) == (kind, "Rosa Lind", text)
    assert sent.told.startswith("Rosa Lind ") and acts.outcome(sent.id).state == "waiting"


@pytest.mark.parametrize(
    ("act", "told"),
    [
        ({"act": "fly"}, "cannot be asked to 'fly'"),
        ({"act": "walk", "place": "Nowhere Lane"}, "Nowhere Lane"),
        ({"act": "talk", "whom": "Nobody at All"}, "Nobody at All"),
    ],
)
def test_what_the_town_does_not_know_is_said_and_asks_nothing(
    acts: RunActions, act: dict[str, Any], told: str
) -> None:
    with pytest.raises(RunError, match=told):
        send(acts, {"visitor": "Rosa Lind", **act})
    with Inbox(RunFolder.open(acts.house.runs, "town")) as inbox:
        assert inbox.waiting() == []


def test_the_page_says_what_a_request_waits_for(acts: RunActions) -> None:
    sent = send(acts, {"act": "leave", "visitor": "Rosa Lind"})
    assert explain_wait(acts, sent).startswith("Nobody lives this run now: let it go on")
    with Inbox(RunFolder.open(acts.house.runs, "town")) as inbox:
        inbox.ask_to_pause(is_held=True)
    assert explain_wait(acts, sent).startswith("The run is paused: let it go on")
