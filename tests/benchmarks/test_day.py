"""The benchmark of a day, with one agent."""

import json

import pytest

from benchmarks import day

FIGURES = {
    "calls_per_agent_day",
    "prompt_tokens_per_agent_day",
    "completion_tokens_per_agent_day",
    "actions_per_agent_day",
    "talks_per_agent_day",
    "talk_lines_per_talk",
    "reflections_per_agent_day",
    "wall_s",
    "cpu_s",
    "peak_mb",
}


def test_the_last_line_maps_the_cast_to_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    day.main(["--cast", "1"])
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert list(found) == ["1"]
    assert set(found["1"]) >= FIGURES
    assert found["1"]["calls_per_agent_day"] > found["1"]["history_calls_per_agent_day"] == 0
    assert found["1"]["actions_per_agent_day"] > 0
