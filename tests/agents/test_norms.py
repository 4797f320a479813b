"""Whom a rule of the town binds, where and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.norms import WEEK, Hours, RuleScope, TownRule
from smolville.agents.times import DAY
from tests.graphs.minds import ADA

MINUTES = st.integers(0, DAY - 1)
DAYS = st.integers(0, WEEK - 1)


@given(MINUTES, MINUTES, DAYS)
def test_a_span_lasts_from_its_start_to_its_end_also_across_midnight(start, end, day):
    if start == end:
        return
    hours = Hours(start=start, end=end, day=day)
    within = [at for at in range(WEEK * DAY) if hours.includes(*divmod(at, DAY))]
    first = day * DAY + start
    expected = {(first + n) % (WEEK * DAY) for n in range((end - start) % DAY)}
    assert set(within) == expected


@given(st.lists(st.tuples(MINUTES, MINUTES), max_size=3), DAYS, MINUTES)
def test_a_rule_with_opening_hours_holds_outside_them(spans, day, minute):
    when = tuple(Hours(start=start, end=end) for start, end in spans if start != end)
    rule = TownRule(text="Closed.", where=("Park",), when=when)
    closed = TownRule(text="Closed.", where=("Park",), when=when, is_outside=True)
    assert rule.holds_at(day, minute) != closed.holds_at(day, minute) or not when


@pytest.mark.parametrize(
    ("who", "is_bound"),
    [
        (RuleScope(), True),
        (RuleScope(names=("Ben Hollis",)), False),
        (RuleScope(names=("Ada Brook",), is_others=True), False),
        (RuleScope(work="Copper Kettle"), True),
        (RuleScope(work="Copper Kettle", is_others=True), False),
        (RuleScope(home="Fern Cottage: bedroom"), True),
        (RuleScope(under=34), False),
        (RuleScope(under=35), True),
        (RuleScope(over=18, names=("Ben Hollis",)), False),
    ],
)
def test_a_rule_binds_those_of_whom_all_holds(who, is_bound):
    assert who.includes(ADA) == is_bound


@pytest.mark.parametrize(
    ("place", "is_bound"),
    [
        ("Park", True),
        ("Park: lawn", True),
        ("Parkside", False),
    ],
)
def test_a_rule_is_about_a_place_and_what_lies_inside_it(place, is_bound):
    assert TownRule(text="Closed.", where=("Park",)).binds(ADA, place) == is_bound
