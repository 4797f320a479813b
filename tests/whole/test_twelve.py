"""Twelve lives are, table by table, what they were when somebody last looked at them."""

import os
from pathlib import Path

import orjson
import pytest

from tests.whole.lives import differing
from tests.whole.twelve import GOLDEN, LIVES, digests, kept


@pytest.mark.parametrize("name", LIVES)
def test_a_life_is_what_it_was(name: str, tmp_path: Path) -> None:
    found = digests(tmp_path, name)
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN"):
        text = orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n"
        (GOLDEN / f"{name}.json").write_bytes(text)
    golden = kept(name)
    assert differing(golden, found) == []
    assert found.keys() == golden.keys()
