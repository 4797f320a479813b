"""Some lives are, table by table, what they were when somebody last looked at them."""

import os
from pathlib import Path

import orjson
import pytest

from tests.whole.golden_lives import GOLDEN, LIVES, kept
from tests.whole.lives import differing, parts

SHARED = {"small": "small_day", "small-two-days": "two_days", "shipped": "shipped_day"}
"""Lives that other tests look at as well, and the fixtures that have them."""


@pytest.mark.parametrize("name", LIVES)
def test_a_life_is_what_it_was(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if name in SHARED:
        found = parts(request.getfixturevalue(SHARED[name]))
    else:
        found = parts(LIVES[name].lived(tmp_path, name))
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN"):
        text = orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n"
        (GOLDEN / f"{name}.json").write_bytes(text)
    golden = kept(name)
    assert differing(golden, found) == []
    assert found.keys() == golden.keys()
