"""A trace is called by what was done, by whom, and when."""

import pytest

from smolville.lab.tracing.span import (
    find_worst_outcome,
    thought_digits,
    thought_name,
    what_was_done,
)


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (["ground_block"], "ground_block"),
        (["decompose", "ground_block"], "decompose, ground_block"),
        (["say", "say", "react"], "say ×2, react"),
        (["a", "b", "c", "d", "e", "a"], "a ×2, b, c +2"),
        ([], "act"),
    ],
)
def test_a_thought_is_called_by_its_steps(steps: list[str], told: str) -> None:
    assert what_was_done(steps, ("perceive", "act")) == told


def test_names_hold_who_and_when() -> None:
    assert what_was_done([], (), "ValueError: no") == "failed"
    assert thought_name(("Ada Brook", "Ben Hollis"), 10 * 3600 + 20 * 60, "talk") == (
        "Ada Brook & Ben Hollis · 10:20 · talk"
    )
    assert find_worst_outcome(["clean", "repaired", "mended"]) == "repaired"
    assert find_worst_outcome([]) == ""
    assert thought_digits("Ada Brook", 5) != thought_digits("Ada Brook", 6)
