"""Signs of drift: each is raised by the history that shows it, and by no ordinary day."""

import string
from collections.abc import Sequence
from pathlib import Path

import pytest

from smolville.agents.action import Action, ActionKind, Talk, TalkLine
from smolville.agents.memory import Memory
from smolville.agents.times import DAY_SECONDS, Clock
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch, Deed, Move, ThoughtRow
from smolville.history.sample import SAMPLE, sample_folder
from smolville.history.spec import ModelSpecs
from smolville.reports.drift.alarm import Alarm
from smolville.reports.drift.doing import (
    find_apart,
    find_failing,
    find_repeated_activities,
    find_stuck,
)
from smolville.reports.drift.find import alarms_of, find_alarms
from smolville.reports.drift.talking import (
    find_politeness_loops,
    find_repeated_phrases,
    find_repeated_thoughts,
)
from smolville.reports.runs import OpenRun
from smolville.world.town.townmap import TownMap
from tests.fixtures.small_town import write_small_town
from tests.history.made_up import call, spec

ANN, BEN = "Ann Moss", "Ben Hill"
HOUR = 3600
HOME, DESK = "Ann's House: bedroom", "Ann's House: bedroom: desk"


def talk(*texts: str, at: int = 9 * HOUR) -> Talk:
    """A talk in which Ann and Ben take turns."""
    lines = tuple(
        TalkLine(speaker=(ANN, BEN)[n % 2], text=text, at=at + 20 * n)
        for n, text in enumerate(texts)
    )
    return Talk(
        id=f"talk/{at}", participants=(ANN, BEN), place="Park", start=at, end=at + 200, lines=lines
    )


def deed(
    start: int, minutes: int, activity: str, place: str = DESK, kind: ActionKind = "do"
) -> Deed:
    """Something that Ann does."""
    action = Action(
        kind=kind, activity=activity, place=place, start=start, end=start + 60 * minutes
    )
    return Deed(agent=ANN, tick=start // 10, action=action)


def refused(start: int) -> Deed:
    """Something that Ann is not let do."""
    action = Action(kind="do", activity="cooking", place=DESK, start=start, end=start + 600)
    return Deed(
        agent=ANN, tick=start // 10, action=action, outcome="refused", reason="the desk is in use"
    )


def sentences(alarms: Sequence[Alarm]) -> list[str]:
    """What alarms say."""
    return [alarm.sentence for alarm in alarms]


MANNERS = ("Hello Ben!", "Hi Ann, how are you?", "Fine, thanks. And you?", "I'm doing well too!")


def test_manners_are_no_loop_and_a_fifth_line_of_them_is_one() -> None:
    greeting = talk(*MANNERS, "The bridge over the river is closed.", "Oh! Thanks, bye.", "Bye Ben")
    assert list(find_politeness_loops([greeting])) == []
    loop = talk(*MANNERS, "That's great to hear. What's up?", "The bridge is closed.")
    later = talk(*MANNERS, "Thank you! Have a nice day.", "You too, Ann!", at=DAY_SECONDS)
    (alarm,) = find_politeness_loops([loop, greeting, later])
    assert (alarm.kind, alarm.who, alarm.count, alarm.first) == (
        "politeness",
        (ANN, BEN),
        2,
        9 * HOUR,
    )
    assert alarm.sentence == (
        "Ann Moss and Ben Hill exchanged nothing but pleasantries for up to 6 lines in 2 talks, "
        "first on day 1 at 09:00."
    )


def test_a_sentence_said_three_times_in_a_talk_is_told() -> None:
    text = "I am so very fond of the old lantern."
    twice = talk(f"{text} Really.", "Me too.", f"Yes. {text}")
    assert list(find_repeated_phrases([twice])) == []
    thrice = talk(text, "Me too.", f"Yes. {text}", "I know.", f"Oh, {text.lower()} {text}")
    (alarm,) = find_repeated_phrases([thrice])
    assert alarm.who == (ANN,)
    assert alarm.sentence == (
        'Ann Moss said "i am so very fond of the old lantern" 3 times in one talk, '
        "on day 1 at 09:00."
    )


def test_news_told_to_the_same_person_all_day_is_told() -> None:
    text = "There is a lantern party at the cafe on Tuesday."
    told = [talk("Hello!", "Hi.", text, at=(8 + n) * HOUR) for n in range(4)]
    assert list(find_repeated_phrases(told[:3])) == []
    other_day = talk(text, at=DAY_SECONDS + HOUR)
    assert list(find_repeated_phrases([*told[:3], other_day])) == []
    (alarm,) = find_repeated_phrases(told)
    assert (alarm.who, alarm.count) == ((ANN, BEN), 4)
    assert "in 4 talks of one day, first on day 1 at 08:00." in alarm.sentence


def test_a_thought_that_comes_back_four_times_a_day_is_told() -> None:
    thoughts = [
        Memory(
            id=f"{ANN}/{n}/reflect_insights/0/0",
            agent=ANN,
            kind="thought",
            text="I should finish the letter to my sister today.",
            created=(10 + n) * HOUR,
            tick=n,
            accessed=0,
        )
        for n in range(4)
    ]
    assert list(find_repeated_thoughts(thoughts[:3])) == []
    (alarm,) = find_repeated_thoughts(thoughts)
    assert alarm.sentence.startswith('Ann Moss had the thought "I should finish the letter to my')
    assert alarm.sentence.endswith("4 times on one day, first on day 1 at 10:00.")


def busy(day: int, names: Sequence[str]) -> list[Deed]:
    """A day of a quarter of an hour per activity."""
    start = (day - 1) * DAY_SECONDS + 6 * HOUR
    return [deed(start + 900 * n, 15, name) for n, name in enumerate(names)]


def test_an_activity_begun_eight_times_a_day_is_told_whatever_its_numbers() -> None:
    day = [name for n in range(8) for name in (f"writing page {n}", f"task {'abcdefgh'[n]}")]
    assert list(find_repeated_activities(busy(1, day[:14]))) == []
    (alarm,) = find_repeated_activities(busy(1, day))
    assert (alarm.kind, alarm.count) == ("activities", 8)
    assert (
        alarm.sentence == "Ann Moss began 'writing page' 8 times on day 1, first on day 1 at 06:00."
    )


def test_a_day_that_is_the_one_before_again_is_told() -> None:
    names = [f"task {letter}" for letter in string.ascii_lowercase]
    names += [f"craft {letter}" for letter in "abcd"]
    fresh = [f"game {letter}" for letter in "abcdefg"]
    morning = [*busy(1, names), *busy(2, names[:21])]
    assert list(find_repeated_activities(morning)) == []
    other = [*busy(1, names), *busy(2, [*names[:23], *fresh])]
    assert list(find_repeated_activities(other)) == []
    (alarm,) = find_repeated_activities([*busy(1, names), *busy(2, [*names[:24], *fresh[:6]])])
    assert alarm.sentence == (
        "Ann Moss did on day 2 what the day before had: 24 of 30 activities are the same."
    )


def test_four_hours_of_the_same_are_told_and_a_night_between_is_a_break() -> None:
    evening = [deed(20 * HOUR, 120, "reading"), deed(22 * HOUR, 480, "sleeping", kind="sleep")]
    assert list(find_stuck([*evening, deed(30 * HOUR, 119, "reading")])) == []
    waiting = [deed((9 + n) * HOUR, 60, "waiting for the post") for n in range(4)]
    assert list(find_stuck(waiting[:3])) == []
    (alarm,) = find_stuck([*waiting[:2], deed(11 * HOUR, 1, "a talk", kind="talk"), *waiting[2:]])
    assert alarm.sentence == (
        "Ann Moss was 'waiting for the post' for 4.0 hours without a break, on day 1 at 09:00."
    )


def test_three_refusals_in_a_row_are_told() -> None:
    row = [refused(9 * HOUR + 600 * n) for n in range(3)]
    assert list(find_stuck([row[0], deed(9 * HOUR, 5, "waiting"), *row[1:]])) == []
    (alarm,) = find_stuck(row)
    assert alarm.sentence == (
        "Ann Moss was refused 3 times in a row, first on day 1 at 09:00: the desk is in use."
    )


def test_three_thoughts_that_fail_in_a_row_are_told() -> None:
    rows = [
        ThoughtRow(agent=ANN, tick=n, at=10 * n, stimuli=(), path=(), failed=failed)
        for n, failed in enumerate(("a bug", "a bug", "", "a bug", "a bug", "a bug"))
    ]
    assert list(find_failing(rows[:5])) == []
    (alarm,) = find_failing(rows)
    assert (
        alarm.sentence
        == "Ann Moss stood still: 3 thoughts in a row failed, first on day 1 at 00:00."
    )


@pytest.fixture(scope="module")
def town_map(tmp_path_factory: pytest.TempPathFactory) -> TownMap:
    """The map of the small town."""
    return TownMap.load(write_small_town(tmp_path_factory.mktemp("town")) / "map.tmj")


def standing(town_map: TownMap, place: str) -> Move:
    """Ann, standing in a place from the first tick on."""
    return Move(agent=ANN, tick=0, end_tick=0, path=(town_map.tiles_of(place)[0],))


def test_half_an_hour_outside_the_place_of_an_action_is_told(town_map: TownMap) -> None:
    one, other = list(town_map.arenas)[:2]
    moves, clock = [standing(town_map, one)], Clock(10)
    here = [deed(9 * HOUR, 60, "reading", one), deed(10 * HOUR, 29, "cooking", other)]
    assert list(find_apart(here, moves, town_map, clock)) == []
    (alarm,) = find_apart([deed(9 * HOUR, 45, "cooking", other)], moves, town_map, clock)
    assert alarm.sentence == (
        f"Ann Moss had not reached {other} for 'cooking' after 45 minutes, on day 1 at 09:00."
    )


def test_an_activity_that_names_another_place_is_told(town_map: TownMap) -> None:
    here, *_ = town_map.arenas
    other = next(name for name in town_map.sectors if not here.startswith(name))
    moves, clock = [standing(town_map, here)], Clock(10)
    fine = deed(9 * HOUR, 60, f"writing about {other}", here)
    assert list(find_apart([fine], moves, town_map, clock)) == []
    (alarm,) = find_apart([deed(9 * HOUR, 40, f"opening {other}", here)], moves, town_map, clock)
    assert alarm.sentence == (
        f"Ann Moss was {f'opening {other}'!r}, but in {here}, for 40 minutes, on day 1 at 09:00."
    )


def test_a_history_is_read_up_to_the_moment_asked_for(tmp_path: Path) -> None:
    models = ModelSpecs(
        fast="standin", strong="standin", embedder="words", windows={"standin": 900}
    )
    folder = new_run(tmp_path, spec().model_copy(update={"models": models}))
    with History(folder) as history:
        history.store(call(9 * HOUR // 10, ANN))
        loop = talk(*MANNERS, *MANNERS)
        history.commit(CommitBatch(tick=9 * HOUR // 10, at=9 * HOUR, agents=(ANN,), talks=[loop]))
    with RunReader(folder) as reader:
        assert [alarm.kind for alarm in find_alarms(reader, None)] == ["politeness", "prompts"]
        assert find_alarms(reader, None, until=100) == []
        told = find_alarms(reader, None)[0].plain()
    assert told["first"] == told["last"] == "1 09:00"
    assert told["who"] == [ANN, BEN]


def test_nothing_is_told_of_the_recorded_day_which_does_not_drift() -> None:
    folder = sample_folder(SAMPLE)
    run = RunFolder.open(folder.parent, folder.name)
    with RunReader(run) as reader:
        assert len(reader.talks()) > 3
        assert alarms_of(OpenRun(run, reader, reader.watermark())) == []
