"""The benchmark of what the town costs beside its models, on a few ticks and calls."""

import json

import pytest

from benchmarks import overhead


def test_the_last_line_has_the_idle_tick_and_every_part_of_a_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    overhead.main(["--ticks", "20", "--repeats", "1"])
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert set(found["idle_agent_tick_us"]) == {"nobody_walks", "one_walks", "ten_walk"}
    assert set(found["steps"]) == set(overhead.MEASURED)
    for parts in found["steps"].values():
        assert set(parts) == {
            "bare_call_ms",
            "langgraph_adds_ms",
            "step_adds_ms",
            "beyond_langgraph_ms",
            "render_ms",
            "write_out_ms",
            "read_ms",
            "journal_ms",
        }
