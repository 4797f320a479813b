"""`smolville prompt judge`: keys at a terminal, a judge model, and what is told of verdicts."""

import json
import os
import pty
import shutil
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from smolville.lab.moments.moment import Moment
from tests.cli.conftest import Command
from tests.fixtures.clumsy import clumsy, moments
from tests.fixtures.judging import LABELS, lines, write_results
from tests.fixtures.viewing import MAIN, surroundings
from tests.fixtures.waiting import until
from tests.fixtures.warm import WarmProcess, warm

__all__ = ["clumsy", "moments"]
A, B = LABELS


@pytest.fixture
def smolville(clumsy: Path, tmp_path: Path, moments: list[Moment]) -> Command:
    """The command on its own copy of a run, with an evaluation whose answers differ in `say`."""
    (tmp_path / "runs").mkdir()
    shutil.copytree(clumsy / "clumsy", tmp_path / "runs" / "clumsy")
    write_results(tmp_path / "runs" / ".evals" / "0.jsonl", moments, "clumsy")
    return Command(tmp_path / "runs", tmp_path)


@pytest.fixture
def pairs(moments: list[Moment]) -> int:
    """How many answers of the two variants differ: every line of a talk."""
    found = len(lines(moments))
    assert found > 4
    return found


def kept(smolville: Command) -> list[dict[str, object]]:
    """The verdicts on disk."""
    path = smolville.runs / ".evals" / "0.judged.jsonl"
    if not path.exists():
        return []
    lines = path.read_text().splitlines(keepends=True)[1:]
    return [json.loads(line) for line in lines if line.endswith("\n")]


def test_a_model_judges_and_the_question_is_answered(
    smolville: Command, moments: list[Moment], pairs: int
) -> None:
    equal = len(moments) - pairs
    said = smolville("prompt", "judge", "shipped", "mine", "--model", "standin")
    assert said.code == 0, said.err
    assert f"B: {B}, beside A: {A}" in said.out
    assert f"{pairs} pairs to judge; {equal} answered alike by both" in said.out
    told = smolville("prompt", "judge", "1", "2", "--json").json
    assert (told["a"], told["b"], told["pairs"], told["equal"]) == (A, B, pairs, equal)
    (judge,) = told["judges"]
    assert judge["judge"] == "standin"
    assert judge["wins"] + judge["ties"] + judge["losses"] == pairs and not judge["left"]
    assert judge["sentence"].split(":")[0] in " ".join(said.out.split())
    assert len(kept(smolville)) == pairs


def test_two_judges_are_told_with_their_agreement(smolville: Command) -> None:
    models = ("--model", "standin", "--model", "standin:mistakes=0.2")
    said = smolville("prompt", "judge", "1", "2", *models, "--json")
    assert [each["judge"] for each in said.json["judges"]] == ["standin", "standin:mistakes=0.2"]
    (both,) = said.json["agreement"]
    assert both["agreed"] == both["pairs"]
    before = len(kept(smolville))
    assert smolville("prompt", "judge", "1", "2", *models).code == 0
    assert len(kept(smolville)) == before


def test_without_a_terminal_what_was_judged_is_told(smolville: Command) -> None:
    said = smolville("prompt", "judge", "1", "2")
    assert said.code == 0, said.err
    assert "Nobody has judged any of their answers yet." in said.out


def test_what_cannot_be_is_one_sentence(smolville: Command, tmp_path: Path) -> None:
    cases: list[tuple[tuple[str, ...], str]] = [
        (("1", "3"), "it has: 1 shipped · standin; 2 mine · standin"),
        (("1", "1"), "are the same variant; name two"),
        (("1", "2", "--results", str(tmp_path / "none.jsonl")), "cannot be read"),
        (("1", "2", "--model", "olama:x"), "olama"),
    ]
    for words, told in cases:
        said = smolville("prompt", "judge", *words)
        assert said.code == 2, (words, said)
        assert told in said.err, (words, said.err)
        assert len(said.err.splitlines()) == 1, said.err
        assert said.out == ""
    shutil.rmtree(smolville.runs / ".evals")
    said = smolville("prompt", "judge", "1", "2")
    assert (said.code, said.out) == (2, "")
    assert "begin with `smolville prompt eval`" in said.err


@contextmanager
def seated(smolville: Command) -> Iterator[tuple[WarmProcess, int]]:
    """The command as somebody at a terminal sees it; gives the process and the terminal."""
    ours, its = pty.openpty()
    line = ["-c", MAIN, "prompt", "judge", "1", "2", "--runs", smolville.runs]
    env = surroundings(TERM="xterm", COLUMNS="100")
    with warm(line, Path.cwd(), env, terminal=dict.fromkeys(range(3), its)) as process:
        os.close(its)
        yield process, ours
    os.close(ours)


def heard(terminal: int, until: str) -> str:
    """What a terminal shows until it shows this, or is closed."""
    told = b""
    while until.encode() not in told:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        told += more
    return told.decode()


def press(terminal: int, key: str) -> None:
    """Press a key once it is waited for: what was typed before an answer is shown is dropped."""
    until(lambda: not termios.tcgetattr(terminal)[3] & termios.ICANON, "waiting for a key")
    os.write(terminal, key.encode())


def test_one_key_an_answer_and_quitting_keeps_all(smolville: Command, pairs: int) -> None:
    with seated(smolville) as (process, terminal):
        shown = heard(terminal, "q quit")
        assert f"1 of {pairs}" in shown
        for key in "12sb":
            press(terminal, key)
            shown += heard(terminal, "q quit")
        assert len(kept(smolville)) == 4
        assert A not in shown
        assert B not in shown
        press(terminal, "q")
        shown = heard(terminal, "order of the answers")
        assert process.wait() == 0
    assert "person: " in shown and f"{pairs} pairs to judge" in shown
    prefers = [each["prefers"] for each in kept(smolville)]
    assert set(prefers[:2]) <= {A, B}
    assert prefers[2:] == ["same", "both bad"]


def test_a_verdict_is_taken_back_and_ctrl_c_loses_nothing(smolville: Command, pairs: int) -> None:
    with seated(smolville) as (process, terminal):
        heard(terminal, "q quit")
        for key in ("1", "u", "s"):
            press(terminal, key)
            heard(terminal, "q quit")
        press(terminal, "\x03")
        shown = heard(terminal, "order of the answers")
        assert process.wait() == 0
    assert "person: Whether" in " ".join(shown.split())
    first, second = kept(smolville)
    assert first["pair"] == second["pair"]
    assert second["prefers"] == "same"
    with seated(smolville) as (process, terminal):
        assert f"2 of {pairs}" in heard(terminal, "q quit")
