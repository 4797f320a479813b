"""An evaluation on the real llama.cpp server survives its absence."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, Said
from tests.fixtures.clumsy import clumsy
from tests.fixtures.fault_injector import ALWAYS, injected
from tests.fixtures.faults import away
from tests.fixtures.llamacpp import SLOTS
from tests.fixtures.witness import Witness, witness

__all__ = ["clumsy", "witness"]

FEW = ("--limit", "5", "--set", "repairs=1", "--set", "patience=0.2")


@pytest.fixture
def smolville(clumsy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command on the run with mistakes; what it writes goes to a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return Command(clumsy, tmp_path)


def evaluate(smolville: Command, url: str, *words: str) -> Said:
    """What `prompt eval` says of a few moments on a server."""
    model = ("--moments", "clumsy", "--model", f"llamacpp:{url}")
    return smolville("prompt", "eval", *model, *FEW, "--out", "report.jsonl", *words)


def results(path: str = "report.jsonl") -> list[dict[str, Any]]:
    """The results in a file."""
    return [json.loads(line) for line in Path(path).read_text().splitlines()[1:]]


def test_a_server_that_goes_away_leaves_what_is_done_and_is_gone_on_with(
    smolville: Command, witness: Witness
) -> None:
    with injected(witness.url) as injector:
        # One answer more than there are slots: a moment is done, whatever the order.
        injector.fault, injector.times, injector.every = away, ALWAYS, 1
        injector.first = SLOTS + 3
        said = evaluate(smolville, injector.url)
        assert said.code == 1
        assert said.out == ""
        before = results()
        assert 0 < len(before) < 5
        told = f"{len(before)} of 5 answers are kept in report.jsonl; the same words go on"
        assert told in said.err
        injector.mend()
        answered = len(witness.bodies)
        said = evaluate(smolville, injector.url, "--json")
    assert said.code == 0, said.err
    after = results()
    assert after[: len(before)] == before
    assert len(after) == 5 == len({each["moment"] for each in after})
    assert len(witness.bodies) - answered == sum(each["attempts"] for each in after[len(before) :])
    assert said.json["missing"] == 0
