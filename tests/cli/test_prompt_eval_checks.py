"""`smolville prompt eval` among the checks of a repository: minimums, exit codes."""

from pathlib import Path

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
    assert evaluate(smolville, "--max-objected", "0.2", "--max-fallback", "0.1").code == 0
    words = ("--set", "repairs=0", "--max-objected", "0.01", "--max-fallback", "0.01")
    said = evaluate(smolville, *words)
    assert (said.code, "answers were objected to" in said.err) == (1, True)
    assert "at most 1 % were asked for" in said.err


def test_a_moment_with_other_inputs_is_refused_in_one_sentence(
    smolville: Command, tmp_path: Path
) -> None:
    line = smolville("export", "clumsy", "now.jsonl", "--format", "jsonl", "--step", "say")
    assert line.code == 0, line.err
    old = tmp_path / "old.jsonl"
    old.write_text(Path("now.jsonl").read_text().replace('\\"place\\"', '\\"spot\\"'))
    said = evaluate(smolville, "say", "--limit", "2", "--json", moments=str(old))
    assert said.code == 2
    assert said.err.startswith("The step 'say' has other inputs by now than this moment of ")
    assert len(said.err.strip().splitlines()) == 1
