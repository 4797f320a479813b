"""The benchmark of traces, on a short morning: what is sent in each way, and how small it is."""

import json

import pytest

from benchmarks import traces


def test_what_is_sent_in_each_way(capsys: pytest.CaptureFixture[str]) -> None:
    traces.main(["--cast", "3", "--hours", "8", "--repeats", "1", "--mistakes", "0.3"])
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert set(found) == {"off", traces.OFF, *traces.MODES}
    counts = {way: figures["traces"] for way, figures in found.items()}
    assert counts["off"] == counts[traces.OFF] == 0, "off is free"
    assert 0 < counts["failures"] < counts["hours"] < counts["thoughts"]
    assert all(figures["kb_per_thought"] < 5 for figures in found.values())
    for figures in found.values():
        assert set(figures) == {
            *("cpu_s", "more_percent", "ms_per_thought", "traces", "kb_per_thought"),
        }
