"""What prompts show of moments, plans and people."""

import pytest

from smolville.agents.mind import Impression
from smolville.graphs.context import (
    format_past_time,
    make_planned_cards,
    now,
    number_memories,
    relation,
    today,
    who,
)
from tests.fixtures.scripted import Around
from tests.graphs.minds import ADA, HOURS, memory, mind_of, thinker, tick_at

ME = thinker(Around(tick=tick_at(460, day=3)))


def test_now_and_today_read_as_people_write_them():
    assert (now(ME), today(ME)) == ("Wednesday 8 May, 07:40", "Wednesday 8 May")


@pytest.mark.parametrize(
    ("day", "said"),
    [(3, "today 06:00"), (2, "yesterday 06:00"), (1, "Monday 6 May, 06:00")],
)
def test_a_past_moment_is_told_from_today(day, said):
    assert format_past_time(ME, tick_at(360, day) * 10) == said


def test_memories_are_numbered_from_one_in_the_order_given():
    shown = number_memories(ME, [memory(5, "b"), memory(3, "a")])
    assert [(each.number, each.text) for each in shown] == [(1, "b"), (2, "a")]


def test_a_plan_is_shown_by_its_spans():
    assert make_planned_cards(HOURS[1:2])[0].time == "06:00-07:00"


def test_what_is_on_ones_mind_is_the_minds_not_the_personas():
    card = who(ME, mind_of(currently="Ada misses the sea."))
    assert card.currently == "Ada misses the sea." and card.learned == ADA.learned


def test_somebody_is_what_was_lived_then_what_was_written_then_a_stranger():
    lived = mind_of(impressions={"Ben Hollis": Impression(relationship="A friend.")})
    assert relation(ME, lived, "Ben Hollis") == "A friend."
    assert relation(ME, mind_of(), "Ben Hollis") == ADA.relationships["Ben Hollis"]
    assert relation(ME, mind_of(), "Cora Vance") == "You do not know them."
