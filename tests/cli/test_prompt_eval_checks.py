"""`smolville prompt eval` among the checks of a repository: minimums, labels, exit codes."""

from tests.cli.conftest import Command
from tests.cli.test_prompt_eval import evaluate, smolville
from tests.fixtures.clumsy import clumsy

__all__ = ["clumsy", "smolville"]


def test_a_missed_minimum_ends_with_1_and_a_sentence(smolville: Command) -> None:
    words = ("--min-clean", "0.99", "--min-first", "0.1", "--min-valid", "0.5")
    said = evaluate(smolville, *words, "--json")
    assert said.code == 1
    assert said.json["moments"] > 0
    assert "first answers were clean" in said.err
    assert "at least 99 % were asked for" in said.err
    assert "valid" not in said.err
    assert evaluate(smolville, "--min-sensible", "0.9", "--max-fallback", "0.1").code == 0
    words = ("--repairs", "0", "--fail-under", "0.99", "--max-fallback", "0.01")
    said = evaluate(smolville, *words)
    assert (said.code, "answers were sensible" in said.err) == (1, True)
    assert "at most 1 % were asked for" in said.err


def test_the_recorded_day_is_evaluated_by_its_name(smolville: Command) -> None:
    said = evaluate(
        smolville, "say", "--limit", "2", "--fail-under", "0", "--json", moments="sample"
    )
    assert (said.code, said.json["moments"]) == (0, 2), said.err
