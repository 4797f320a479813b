"""The minute arithmetic of a day: whatever is laid over it, it sums to 1440."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.plan import (
    Block,
    DayPlan,
    Spot,
    block_at,
    changed_hours,
    cover_day,
    is_sleep,
    lay_out,
    splice,
)
from tests.agents.days import covers_day

MINUTES = st.integers(0, 1439)
WORDS = st.sampled_from(["sleeping", "eating", "working", "walking"])
STARTS = st.lists(st.tuples(MINUTES, WORDS), max_size=20).map(sorted)
MESSY = st.lists(st.tuples(st.integers(-200, 2000), WORDS), max_size=20)


def _total(blocks):
    return sum(block.minutes for block in blocks)


@given(MESSY)
def test_any_starts_cover_the_day(starts):
    blocks = cover_day(starts)
    assert covers_day(blocks) and _total(blocks) == 1440


@given(STARTS)
def test_each_start_begins_its_activity(starts):
    blocks, given_at = cover_day(starts), {}
    for start, activity in starts:
        given_at.setdefault(start, activity)
    for start, activity in given_at.items():
        assert block_at(blocks, start).activity == activity
    if starts and starts[0][0] > 0:
        assert block_at(blocks, 0).activity == "sleeping"


@st.composite
def windows(draw):
    """A day, a window in it and tasks that fill the window."""
    blocks = cover_day(draw(STARTS))
    start = draw(st.integers(0, 1439))
    tasks = draw(st.lists(st.integers(1, 90), min_size=1, max_size=8))
    kept = []
    for minutes in tasks:
        if start + sum(kept) + minutes <= 1440:
            kept.append(minutes)
    kept = kept or [1440 - start]
    return blocks, start, start + sum(kept), [(f"task {n}", m) for n, m in enumerate(kept)]


@given(windows())
def test_a_splice_changes_its_window_and_nothing_else(window):
    blocks, start, end, tasks = window
    spliced = splice(blocks, start, end, lay_out(start, tasks, "more"))
    assert covers_day(spliced) and _total(spliced) == 1440
    for minute in range(0, 1440, 7):
        found = block_at(spliced, minute)
        if start <= minute < end:
            assert found.part_of == "more"
        else:
            assert found.activity == block_at(blocks, minute).activity


@given(windows())
def test_a_splice_cuts_blocks_and_keeps_what_they_carry(window):
    blocks, start, end, tasks = window
    spot = Spot(place="a: b", emoji="🙂", predicate="is", object="")
    rich = [replace(block, spot=spot, fallback=True) for block in blocks]
    new = lay_out(start, tasks, "more")
    others = [block for block in splice(rich, start, end, new) if block not in new]
    assert all(block.spot == spot and block.fallback for block in others)
    assert [block for block in splice(rich, start, end, new) if block in new] == list(new)


@pytest.mark.parametrize(
    "activity",
    ["sleeping", "Sleeping in", "asleep", "going to bed", "goes to bed", "sleep", "went to bed",
     "lying in bed", "off to bed", "go to bed"],
)  # fmt: skip
def test_being_in_bed_for_the_night_is_sleep(activity):
    assert is_sleep(activity)


@pytest.mark.parametrize(
    "activity",
    ["making the bed", "working on the sleepless novel", "planting a flower bed", "resting",
     "reading about sleepwalkers", "buying bedding", "waking up",
     "waking up from a good night's sleep", "Wakes up after sleeping in", "getting up from sleep"],
)  # fmt: skip
def test_other_things_with_a_bed_in_them_are_not(activity):
    assert not is_sleep(activity)


def test_an_hour_is_changed_by_what_stands_in_it_and_not_by_its_own_parts():
    hours = cover_day([(420, "writing"), (540, "selling bread"), (1320, "sleeping")])
    parts = lay_out(420, [("sharpening pencils", 60), ("writing a page", 60)], "writing")
    blocks = splice(hours, 420, 540, parts)
    plan = DayPlan(day=1, wake=420, strokes=(), hours=hours, blocks=blocks)
    assert changed_hours(plan) == ()
    wait = Block(start=530, minutes=20, activity="waiting for Tom")
    (first, second) = changed_hours(replace(plan, blocks=splice(blocks, 530, 550, [wait])))
    assert (first.planned.activity, second.planned.activity) == ("writing", "selling bread")
    assert [block.span() for block in first.became] == ["08:50-09:00"]
    assert [block.span() for block in second.became] == ["09:00-09:10"]
    assert first.minutes == second.minutes == 10
