"""Twelve lives are, table by table, what they were when somebody last looked at them."""

import os
from pathlib import Path

import orjson
import pytest

from tests.whole.twelve import LIVES, digests

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", LIVES)
def test_a_life_is_what_it_was(name: str, tmp_path: Path) -> None:
    found = digests(tmp_path, name)
    golden = GOLDEN / f"{name}.json"
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN"):
        golden.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n")
    kept = orjson.loads(golden.read_bytes())
    assert [table for table in kept if kept[table] != found[table]] == []
    assert found.keys() == kept.keys()
