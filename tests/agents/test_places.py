"""Addresses are taken apart and put together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.places import arena_of, join_address, object_of, sector_of, split_address

NAME = st.text(st.characters(codec="utf-8", exclude_characters=":"), min_size=1).filter(
    lambda text: text == text.strip() != ""
)


@given(st.lists(NAME, min_size=1, max_size=3))
def test_an_address_comes_apart_as_it_was_put_together(parts):
    address = join_address(*parts)
    assert split_address(address) == tuple(parts)
    assert sector_of(address) == parts[0]
    assert arena_of(address) == join_address(*parts[:2])
    assert object_of(address) == (parts[2] if len(parts) == 3 else "")


@pytest.mark.parametrize(
    ("parts", "address"),
    [(("a", "b", ""), "a: b"), (("a", "", ""), "a"), (("", ""), ""), (("a: b", "c"), "a: b: c")],
)
def test_empty_parts_are_left_out(parts, address):
    assert join_address(*parts) == address
