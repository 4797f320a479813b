"""Who has something to say seeks a talk once more on a day, until everybody they meet knows it."""

from dataclasses import replace

import pytest

from agents.mind import Impression, Mind
from agents.times import at_of
from graphs.bonds import impressions_after
from graphs.noteworthy import TALK_AGAIN, noteworthy
from graphs.prompt_inputs import SpokenLine
from tests.fixtures.scripted import Around
from tests.graphs.minds import (
    body,
    day_plan,
    doing,
    memory,
    mind_of,
    person,
    seen,
    thinker,
    tick_at,
)

MEMOIRS = "I am writing my memories of the mill, and have got stuck in the year of the flood."
MINE = "Ada Brook is writing her memories of the mill, and has got stuck in the year of the flood."
FAIR = "Ada Brook is planning a fair in Willow Park on Monday 6 May at 5pm."
NOON, EVENING = 12 * 60, 20 * 60
BEN = person()


def _mind(currently: str, told: tuple[str, ...], at: int) -> Mind:
    """Somebody who has talked with Ben today, long enough ago."""
    seen_before = Impression(relationship="A friend.", summary="bread", told=told, talks=1)
    return replace(
        mind_of(day_plan(), talked={"Ben Hollis": at - TALK_AGAIN}),
        currently=currently,
        impressions={"Ben Hollis": seen_before},
    )


@pytest.mark.parametrize(
    ("currently", "told", "minute", "is_asked"),
    [
        (MINE, (), NOON, True),
        (MINE, (MEMOIRS,), NOON, False),
        (MINE, ("I am baking bread for the soup evening.",), NOON, True),
        (FAIR, (), NOON, True),
        (FAIR, (), EVENING, False),
        ("Ada Brook is writing a song for Ben Hollis.", (), NOON, False),
        ("Ada Brook is secretly planning to leave the town.", (), NOON, False),
        ("Ada Brook likes bread.", (), NOON, False),
    ],
)
def test_whoever_has_not_been_told_what_occupies_one_is_met_again(
    currently: str, told: tuple[str, ...], minute: int, is_asked: bool
) -> None:
    mind = _mind(currently, told, minute * 60)
    me = thinker(Around(tick=tick_at(minute), own=body(doing())))
    assert (noteworthy(seen(mind, fresh=(BEN,)), me) == (BEN,)) == is_asked


@pytest.mark.parametrize(("talks", "is_asked"), [(1, True), (2, False)])
def test_it_is_sought_once_a_day_whatever_is_said(talks: int, is_asked: bool) -> None:
    past = [
        memory(n, "Ada Brook talked with Ben Hollis: bread", kind="talk", at=at_of(1, 400 + n))
        for n in range(talks)
    ]
    me = thinker(Around(tick=tick_at(NOON), own=body(doing())), memories=past)
    mind = _mind(MINE, (), NOON * 60)
    assert (noteworthy(seen(mind, fresh=(BEN,)), me) == (BEN,)) == is_asked


@pytest.mark.parametrize(
    ("speaker", "text", "told"),
    [
        ("Ada Brook", f"Good morning! {MEMOIRS}", True),
        ("Ada Brook", "I am stuck in my memories of the mill, the year of the flood.", True),
        ("Ada Brook", "Good morning, how is the bread today?", False),
        ("Ben Hollis", MEMOIRS, False),
    ],
)
def test_what_one_has_said_oneself_counts_as_told(speaker: str, text: str, told: bool) -> None:
    me = thinker(Around(tick=tick_at(NOON), own=body(doing())))
    mind = _mind(MINE, (), NOON * 60)
    for _ in range(2):
        found = impressions_after(
            me,
            mind,
            ("Ben Hollis",),
            feeling="glad",
            summary="the mill",
            lines=(SpokenLine(speaker=speaker, text=text),),
            promised=False,
        )
        mind = replace(mind, impressions=found)
    assert [len(each.told) for each in found.values()] == [int(told)]
