"""`smolville prompt eval` among the checks of a repository: minimums, labels, exit codes."""

import json
from pathlib import Path

from smolville.graphs.catalogue import SAMPLES
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
    words = ("--repairs", "0", "--max-objected", "0.01", "--max-fallback", "0.01")
    said = evaluate(smolville, *words)
    assert (said.code, "answers were objected to" in said.err) == (1, True)
    assert "at most 1 % were asked for" in said.err


def test_a_moment_with_other_inputs_is_refused_in_one_sentence(
    smolville: Command, tmp_path: Path
) -> None:
    line = smolville("export", "moments", "clumsy", "--step", "say", "-o", "now.jsonl")
    assert line.code == 0, line.err
    old = tmp_path / "old.jsonl"
    old.write_text(Path("now.jsonl").read_text().replace('\\"place\\"', '\\"spot\\"'))
    said = evaluate(smolville, "say", "--limit", "2", "--json", moments=str(old))
    assert said.code == 2
    assert said.err.startswith("The step 'say' has other inputs by now than this moment of ")
    assert len(said.err.strip().splitlines()) == 1


def test_labels_beside_templates_tell_how_well_the_checks_agree(
    smolville: Command, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "sense.toml").write_text('[say]\nfact = ["the moon base"]\n')
    odd = {"text": "Meet me at the moon base.", "ends": False}
    case = {"step": "say", "inputs": SAMPLES["say"].model_dump(mode="json")}
    label = {**case, "answer": odd, "sensible": False, "kind": "fact"}
    (own / "labels.jsonl").write_text(json.dumps(label) + "\n")
    words = ("--limit", "2", "--prompts", "shipped", "--prompts", str(own))
    said = evaluate(smolville, *words)
    assert said.code == 0, said.err
    told = " ".join(said.out.split())
    assert f"Labels of {own}, checks of {own}: found 1 of 1 senseless answer" in told
    labels = evaluate(smolville, *words, "--json", "--overwrite").json["labels"]
    assert [each["prompts"] for each in labels] == ["shipped", str(own)]
    assert labels[1]["found"]["count"] == 1


def test_a_line_of_labels_that_cannot_be_stops_before_anything_is_asked(
    smolville: Command, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "sense.toml").write_text("")
    (own / "labels.jsonl").write_text('{"moment": "clumsy/12345678"}\n')
    said = evaluate(smolville, "--prompts", str(own))
    assert (said.code, said.out) == (2, "")
    assert "labels.jsonl', line 1: `sensible` should be true or false." in said.err
    assert not (smolville.runs / ".evals").exists()
