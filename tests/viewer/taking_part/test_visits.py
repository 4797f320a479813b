"""An interview, and what a visitor asks of the town."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smolville.agents.errors import RunError
from smolville.agents.places import sector_of
from smolville.graphs.loop.rules import Rules
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.inbox import Inbox
from smolville.history.records import CommitBatch, Intervention
from smolville.history.spec import RunSpec
from smolville.models.open import open_chat
from smolville.reports.present import presences
from smolville.viewer.config import AppConfig, AppModels
from smolville.viewer.taking_part.acts import RunActions
from smolville.viewer.taking_part.dialogs import propose_entrance, send
from smolville.viewer.taking_part.interview import InterviewRoom
from smolville.world.run_resources import RunResources
from tests.fixtures.scripted import Scripted, chat_of
from tests.fixtures.viewing import copied


@contextmanager
def reluctant(spec: RunSpec, model: str | None = None) -> Iterator[AppModels]:
    """Open a model whose first answer is none."""
    fast, _ = open_chat("standin")
    told = ["I would rather not.", {"answer": "The post office is quiet."}]
    strong = chat_of(Scripted(replies={"answer_interview": told}))
    yield AppModels(chats=(fast, strong), means=RunResources(), rules=Rules())


async def test_a_second_try_answers_where_the_first_could_not_be_used(
    lived_runs: Path, tmp_path: Path
) -> None:
    room = InterviewRoom(AppConfig(runs=copied(lived_runs, tmp_path), minds=reluctant), "town")
    try:
        answered = await room.ask("Walter Brandt", "What is new?")
    finally:
        await room.close()
    assert (answered.answer, answered.is_fallback) == ("The post office is quiet.", False)


CAFE = "Copper Kettle Cafe: main room"


@pytest.fixture
def acts(lived_runs: Path, tmp_path: Path) -> RunActions:
    """The actions on a copy of a lived run."""
    return RunActions(AppConfig(runs=copied(lived_runs, tmp_path), minds=reluctant), "town")


@pytest.mark.parametrize(
    ("act", "kind", "text"),
    [
        ({"act": "walk", "place": CAFE}, "visitor_walks", CAFE),
        ({"act": "leave"}, "visitor_leaves", ""),
    ],
)
def test_a_click_becomes_a_request_of_the_visitor(
    acts: RunActions, act: dict[str, Any], kind: str, text: str
) -> None:
    sent = send(acts, {"visitor": "Rosa Lind", **act})
    with Inbox(RunFolder.open(acts.config.runs, "town")) as inbox:
        [wish] = inbox.waiting()
    assert (wish.kind, wish.target, wish.text) == (kind, "Rosa Lind", text)
    assert sent.told.startswith("Rosa Lind ") and acts.settled(sent.id) is None


@pytest.mark.parametrize(
    ("act", "told"),
    [
        ({"act": "fly"}, "cannot be asked to 'fly'"),
        ({"act": "walk", "place": "Nowhere Lane"}, "Nowhere Lane"),
        ({"act": "talk", "whom": "Nobody at All"}, "Nobody at All"),
        ({"act": "talk", "whom": "Walter Brandt"}, "Walter Brandt is asleep"),
    ],
)
def test_what_the_town_does_not_know_is_said_and_asks_nothing(
    acts: RunActions, act: dict[str, Any], told: str
) -> None:
    with pytest.raises(RunError, match=told):
        send(acts, {"visitor": "Rosa Lind", **act})
    with Inbox(RunFolder.open(acts.config.runs, "town")) as inbox:
        assert inbox.waiting() == []


def test_whoever_is_awake_can_be_spoken_to_and_other_visitors_leave_a_fork(
    acts: RunActions,
) -> None:
    """At noon, as nobody is awake where the run ends."""
    folder = fork(acts.config.runs, "town", "noon", 12 * 360 - 1)
    with History(folder) as history:
        came = Intervention(
            id="came", tick=12 * 360, kind="visitor_enters", target="Ivo Lind", text='{"about": ""}'
        )
        history.commit(
            CommitBatch(tick=12 * 360, at=12 * 3600, agents=folder.spec.cast, interventions=[came])
        )
    noon = replace(acts, run="noon")
    sent = send(noon, {"visitor": "Rosa Lind", "act": "talk", "whom": "Walter Brandt"})
    noon.send_visitors_away(sent.visitor)
    with Inbox(folder) as inbox:
        told = [(wish.kind, wish.target, wish.text) for wish in inbox.waiting()]
    assert told[-2:] == [
        ("visitor_talks", "Rosa Lind", "Walter Brandt"),
        ("visitor_leaves", "Ivo Lind", ""),
    ]


def test_whoever_walks_in_hears_which_place_was_understood_and_comes_only_once(
    acts: RunActions,
) -> None:
    told = acts.enter("Rosa Lind", "a reporter", "Copper").told
    assert told.startswith("Rosa Lind comes to Copper Kettle Cafe")
    with pytest.raises(RunError, match="Rosa Lind is on the way already"):
        acts.enter("Rosa Lind", "a reporter", "Copper")
    with Inbox(RunFolder.open(acts.config.runs, "town")) as inbox:
        assert len(inbox.waiting()) == 1


def test_a_visitor_is_to_walk_in_where_people_are_and_into_no_bedroom(acts: RunActions) -> None:
    with acts.open_run() as run:
        towns_map = run.town.map
        for hour in (3, 12):
            tick = hour * 3600 // run.folder.spec.tick_seconds - 1
            people = {each.name: each for each in presences(run.reader, towns_map, tick)}
            proposed = propose_entrance(towns_map, people, "Junko Mori")
            assert not towns_map.sectors[sector_of(proposed)].is_private
            assert not towns_map.beds_in(proposed)
            there = [each.name for each in people.values() if each.place == proposed]
            assert bool(there) == (hour == 12)
