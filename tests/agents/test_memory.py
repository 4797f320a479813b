"""A memory, its id, its weight and what changes it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.memory import PROVISIONAL, Change, Memory, apply_change, memory_id

SEEN = Memory(
    id=memory_id("Ada Brook", 360, "perceive", 0, 2),
    agent="Ada Brook",
    kind="event",
    text="Ben Hollis is buying bread",
    created=3600,
    tick=360,
    accessed=3600,
    expires=90_000,
)


def _change(kind, at=7200, **more):
    return Change(id=SEEN.id, kind=kind, tick=at // 10, at=at, **more)


@pytest.mark.parametrize("kind", sorted(PROVISIONAL))
def test_an_unrated_memory_counts_provisionally_by_its_kind(kind):
    assert replace(SEEN, kind=kind).weight == PROVISIONAL[kind]
    assert replace(SEEN, kind=kind, importance=9).weight == 9.0


def test_a_look_and_a_second_meeting_are_accesses():
    assert apply_change(SEEN, _change("access")) == replace(SEEN, accessed=7200)
    assert apply_change(SEEN, _change("strengthen")) == replace(SEEN, accessed=7200, strength=2)


@given(st.permutations([100, 4000, 9000, 5000]))
def test_accesses_do_not_depend_on_their_order(times):
    memory = SEEN
    for at in times:
        memory = apply_change(memory, _change("access", at))
    assert memory == replace(SEEN, accessed=9000)
