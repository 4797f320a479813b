"""The benchmark of an evaluation, with a few moments."""

import json

import pytest

from benchmarks import evaluation


def test_the_last_line_holds_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    evaluation.main(["--moments", "6", "--reply-ms", "20", "--starts", "1"])
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert list(found["slots"]) == ["1", "4", "16"]
    for slots, figures in found["slots"].items():
        assert figures["calls"] >= 6
        assert 0 < figures["in_flight"] <= int(slots)
        assert figures["cpu_ms"] > 0
    assert len(found["render_s"]) == 3
    assert all(seconds > 0 for seconds in found["render_s"].values())
