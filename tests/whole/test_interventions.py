"""What an operator does to a run holds from the next tick on, whatever happens to the process."""

from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.reader import RunReader
from tests.fixtures.viewing import copied
from tests.whole.lives import HOUR, live
from tests.whole.visits import MORNING

MACHINE = "Copper Kettle: counter room: coffee machine"
VOICE = OperatorRequest(kind="whisper", target="Ada Brook", text="Ask Ben for a sack of flour")
FIRE = OperatorRequest(kind="object_state", target=MACHINE, text="on fire")
TEN, NOON = MORNING, 12 * HOUR


def put(folder: RunFolder, *wishes: OperatorRequest) -> None:
    """Leave wishes in a run's inbox."""
    with Inbox(folder) as inbox:
        for wish in wishes:
            inbox.put(wish)


def after_ten(morning: RunFolder, runs: Path) -> RunFolder:
    """A run that was lived until ten past ten, with two wishes in its inbox."""
    folder = RunFolder.open(copied(morning.path.parent, runs), morning.name)
    put(folder, VOICE, FIRE)
    return folder


@pytest.fixture(scope="module")
def disturbed(tmp_path_factory: pytest.TempPathFactory, morning: RunFolder) -> RunFolder:
    """A day in which an operator whispered and set an object; for reading only."""
    folder = after_ten(morning, tmp_path_factory.mktemp("disturbed"))
    live(folder, NOON)
    return folder


def test_wishes_hold_from_the_next_tick_on(disturbed: RunFolder) -> None:
    with RunReader(disturbed) as reader:
        done = reader.interventions(after=TEN // 10 - 1)
        assert [(each.kind, each.target, each.text) for each in done] == [
            (wish.kind, wish.target, wish.text) for wish in (VOICE, FIRE)
        ]
        (tick,) = {each.tick for each in done}
        assert TEN // 10 <= tick <= TEN // 10 + 60
        heard = reader.thought("Ada Brook", tick)
        assert heard is not None
        assert "inner_voice" in heard.row.stimuli
        assert "heed_inner_voice" in heard.row.path
        states = [
            (each.state, each.by)
            for each in reader.object_changes(tick, tick)
            if each.address == MACHINE
        ]
        assert (FIRE.text, "") in states
        thoughts = [
            memory
            for memory in reader.memories("Ada Brook")
            if memory.tick == tick and memory.kind == "thought"
        ]
        assert thoughts


def test_whoever_sees_a_fire_puts_it_out(disturbed: RunFolder) -> None:
    with RunReader(disturbed) as reader:
        states = [
            (each.state, each.by)
            for each in reader.object_changes(TEN // 10, NOON // 10)
            if each.address == MACHINE
        ]
    burning = states.index((FIRE.text, ""))
    out = [state for state, by in states[burning:] if by]
    assert out[0] == "being used for looking after the coffee machine"
    assert len(states) > burning + 2, "it is left as usual"


def test_the_history_of_a_town_is_whispered_at_the_first_tick(day: RunFolder) -> None:
    with RunReader(day) as reader:
        told = reader.interventions()
    assert {each.kind for each in told} == {"history"}
    assert {each.tick for each in told} == {0}
    assert len(told) == 5
