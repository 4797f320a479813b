"""Real servers with a random model: its nonsense has the asked shape, and every fallback counts."""

import json
from collections import Counter
from pathlib import Path

from smolville.graphs.loop.rules import Rules
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.models.open import open_chat
from smolville.reports.health import health
from smolville.world.run_request import RunRequest
from tests.whole.lives import HOUR, begin, live


def check(folder: RunFolder, until: int) -> Counter[str]:
    """The outcomes of a run that is whole: it came to its end, and every count adds up."""
    with RunReader(folder) as reader:
        assert reader.watermark() == until // 10 - 1
        assert reader.faults() == []
        assert [row.failed for row in reader.thoughts() if row.failed] == []
        outcomes: Counter[str] = Counter()
        for part in reader.counts().values():
            outcomes.update(part.outcomes)
            assert sum(part.outcomes.values()) == part.steps
            assert part.attempts == part.calls
        steps = reader.steps()
        assert outcomes["fallback"] == sum(step.outcome == "fallback" for step in steps)
        for step in steps:
            assert bool(step.problems) == (step.outcome == "fallback")
        used = [deed for deed in reader.deeds() if deed.action.fallback]
        assert bool(used) <= (outcomes["fallback"] > 0)
        _check_shape(reader)
    return outcomes


def _check_shape(reader: RunReader) -> None:
    for row in reader.thoughts():
        thought = reader.thought(row.agent, row.tick)
        assert thought is not None
        for view in thought.steps:
            for attempt in view.attempts:
                call = attempt.call
                assert call.schema
                if call.finish == "stop":
                    wanted = json.loads(call.schema)["required"]
                    assert set(wanted) <= set(json.loads(call.reply))


def check_ledger(folder: RunFolder) -> None:
    """The health of a run adds up to the calls that its history holds."""
    with RunReader(folder) as reader:
        found = health(reader)
        rows = reader.connection.execute("SELECT COUNT(*) FROM calls").fetchone()[0]
        parts = found.plain()["steps"]
        total = found.plain()["total"]
    assert isinstance(parts, dict) and isinstance(total, dict)
    assert total["attempts"] == rows > 0
    for name in ("attempts", "clean", "mended", "repaired", "escalated", "fallback"):
        assert sum(part[name] for part in parts.values()) == total[name], name
    assert total["prompt_tokens"] > 1000
    assert total["tokens_per_second"] > 0


def test_a_morning_of_two_on_llamacpp_completes(
    llamacpp_url: str, town: Path, tmp_path: Path
) -> None:
    until = 9 * HOUR
    chat, _ = open_chat(f"llamacpp:{llamacpp_url}", env={})
    folder = begin(tmp_path, "short", RunRequest(town=town, cast=2, rules=Rules(repairs=1)), chat)
    live(folder, until, chat)
    check(folder, until)
    with RunReader(folder) as reader:
        assert {step.step for step in reader.steps()} >= {"plan_day", "plan_hours", "decompose"}
        cached = health(reader).plain()["total"]
    assert isinstance(cached, dict)
    assert cached["cached_share"] > 0.3, "every prompt begins with what its step shares"
    check_ledger(folder)
