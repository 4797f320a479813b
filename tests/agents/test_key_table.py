"""Places are found by keys that are kept elsewhere, as by a dict."""

from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.memory_records import KeyTable


@given(st.lists(st.text(max_size=3), max_size=60))
def test_the_latest_place_of_each_key_is_found_and_no_other(keys):
    table = KeyTable(keys.__getitem__)
    for place, key in enumerate(keys):
        table.put(key, place)
    latest = {key: place for place, key in enumerate(keys)}
    assert {key: table.find(key) for key in [*keys, "none of them"]} == {
        **latest,
        "none of them": None,
    }


class _Alike(str):
    """A text whose hash is that of all others of its kind."""

    def __hash__(self) -> int:
        return 7


def test_keys_with_one_hash_are_told_apart():
    keys = [_Alike(n) for n in range(50)]
    table = KeyTable(keys.__getitem__)
    for place, key in enumerate(keys):
        table.put(key, place)
    assert [table.find(_Alike(n)) for n in range(50)] == list(range(50))
    assert table.find(_Alike("other")) is None
