"""The fuzz of the reader runs, counts, and finds nothing in a few replies."""

import json

import pytest

from benchmarks import fuzz_reader


def test_a_few_hostile_replies_are_read_without_a_finding(
    capsys: pytest.CaptureFixture[str],
) -> None:
    fuzz_reader.main(["--inputs", "150", "--seed", "3"])
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["inputs"] >= 150
    assert found["findings"] == 0
    assert found["refused"] > 0 < found["accepted"]
