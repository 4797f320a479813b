"""`smolville prompt eval`: the table, the results file, the limit, and how it is gone on with."""

import json
import os
import pty
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from smolville.lab.moments.files import write_moments
from smolville.lab.moments.moment import Moment
from smolville.prompts.folder import FOLDER
from tests.cli.conftest import Command, Said
from tests.fixtures.clumsy import CLUMSY, clumsy, moments
from tests.fixtures.viewing import MAIN
from tests.fixtures.waiting import until
from tests.fixtures.warm import WarmProcess, warm

__all__ = ["clumsy", "moments"]


@pytest.fixture
def smolville(clumsy: Path, tmp_path: Path) -> Command:
    """The command on its own copy of a run with mistakes."""
    (tmp_path / "runs").mkdir()
    shutil.copytree(clumsy / "clumsy", tmp_path / "runs" / "clumsy")
    return Command(tmp_path / "runs", tmp_path)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder of templates in which every step is reminded of what goes wrong."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for path in FOLDER.glob("[!_]*.jinja"):
        text = path.read_text()
        if "{{ format }}" in text:
            reminder = "Check: nothing is cut, nothing is missing, every field is there."
            (folder / path.name).write_text(
                text.replace("{{ format }}", f"{reminder}\n{{{{ format }}}}", 1)
            )
    return folder


def evaluate(smolville: Command, *words: str, moments: str = "clumsy") -> Said:
    """What `prompt eval` says of these moments."""
    model = () if "--model" in words else ("--model", CLUMSY)
    return smolville("prompt", "eval", "--moments", moments, *model, *words)


def test_a_run_is_evaluated_with_the_shipped_templates(
    smolville: Command, moments: list[Moment]
) -> None:
    said = evaluate(smolville, "--json")
    assert said.code == 0, said.err
    assert said.json["moments"] == len(moments)
    (variant,) = said.json["variants"]
    assert (variant["prompts"], variant["model"]) == ("shipped", CLUMSY)
    assert list(variant["steps"]) == list(dict.fromkeys(each.step for each in moments))
    assert said.json["missing"] == 0


def test_two_folders_on_two_models_are_four_variants(smolville: Command, mine: Path) -> None:
    said = evaluate(
        *(smolville, "--prompts", "shipped", "--prompts", str(mine), "--limit", "12"),
        *("--model", CLUMSY, "--model", "standin", "-n", "2"),
    )
    assert said.code == 0, said.err
    assert "12 moments of 4 people in 1 run, each asked 2 times with each of 4 v" in said.out
    assert re.findall(r"^ (\d)  ", said.out, re.MULTILINE) == ["1", "2", "3", "4"]
    assert "3 beside 1:" in said.out and "4 beside 3:" in said.out
    assert "Asking 12 moments, 96 questions …" in said.err


def test_results_are_kept_in_a_file_and_gone_on_with(smolville: Command, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "mine.jsonl"
    words = ("--limit", "6", "--out", str(out))
    assert evaluate(smolville, *words).code == 0
    lines = out.read_text().splitlines(keepends=True)
    assert len(lines) == 7 and json.loads(lines[0])["smolville"] == "evaluation"
    out.write_text("".join(lines[:4]))
    said = evaluate(smolville, *words)
    assert "6 questions; 3 are answered" in said.err
    assert out.read_text().splitlines(keepends=True)[:4] == lines[:4]
    other = evaluate(smolville, "--limit", "5", "--out", str(out))
    assert other.code == 2
    assert "holds another evaluation, with other moments; start over with --ov" in other.err
    assert evaluate(smolville, "--limit", "5", "--out", str(out), "--overwrite").code == 0
    assert len(out.read_text().splitlines()) == 6


def test_a_moments_file_is_never_lost(
    smolville: Command, moments: list[Moment], tmp_path: Path
) -> None:
    path = tmp_path / "frozen.jsonl"
    write_moments(path, moments[:3])
    before = path.read_bytes()
    for how in ((), ("--overwrite",)):
        said = evaluate(smolville, "--out", str(path), *how, moments=str(path))
        assert said.code == 2
        assert "frozen.jsonl' holds no evaluation; start over" in said.err
    assert path.read_bytes() == before


def test_too_many_objections_end_with_1_and_a_sentence(smolville: Command) -> None:
    words = ("--limit", "30", "--max-objected")
    assert evaluate(smolville, *words, "0.2").code == 0
    said = evaluate(smolville, *words, "0.01", "--set", "repairs=0", "--json")
    assert (said.code, said.json["moments"]) == (1, 30)
    assert "answers were objected to" in said.err and "at most 1 % are allowed." in said.err


def test_a_moment_with_other_inputs_is_refused_in_one_sentence(
    smolville: Command, moments: list[Moment], tmp_path: Path
) -> None:
    old = tmp_path / "old.jsonl"
    write_moments(old, [moment for moment in moments if moment.step == "say"])
    old.write_text(old.read_text().replace('\\"place\\"', '\\"spot\\"'))
    said = evaluate(smolville, "say", "--limit", "2", "--json", moments=str(old))
    assert said.code == 2
    assert said.err.startswith("The step 'say' has other inputs by now than this moment of ")
    assert len(said.err.strip().splitlines()) == 1


def test_what_cannot_be_is_one_sentence(smolville: Command, tmp_path: Path, mine: Path) -> None:
    broken = mine / "say.jinja"
    broken.write_text(broken.read_text().replace("{% endblock %}", "{% endblok %}", 1))
    cases: list[tuple[tuple[str, ...], str, str]] = [
        (("sai",), "clumsy", "did you mean `say`"),
        (("answer_interview",), "clumsy", "None of these moments is of the step"),
        ((), "clumsi", "there is no run 'clumsi'"),
        (("--prompts", "nowhere"), "clumsy", "there is no folder of templates"),
        (("--prompts", str(mine)), "clumsy", "say.jinja, line"),
        (("--model", "olama:x"), "clumsy", "olama"),
        (("--out", str(tmp_path)), "clumsy", "is a directory"),
        (("--max-objected", "90"), "clumsy", "--max-objected"),
    ]
    for words, which, told in cases:
        said = evaluate(smolville, *words, moments=which)
        assert said.code == 2, (words, said)
        assert said.out == ""
        assert told.lower() in said.err.lower(), (words, said.err)
        assert len(said.err.splitlines()) == 1, said.err
    assert not (smolville.runs / ".evals").exists()


@contextmanager
def typed(smolville: Command, *words: str) -> Iterator[tuple[WarmProcess, int]]:
    """The command as it runs in a terminal of its own; gives the process and its terminal."""
    ours, its = pty.openpty()
    line = ["-c", MAIN, "prompt", "eval", "--moments", "clumsy", *words, "--runs", smolville.runs]
    place = {
        **os.environ,
        "PYTHONPATH": str(FOLDER.parent / "src"),
        "TERM": "xterm",
        "COLUMNS": "100",
    }
    with warm(line, Path.cwd(), place, terminal={2: its}) as process:
        os.close(its)
        yield process, ours
    os.close(ours)


def heard(terminal: int, until: bytes = b"\0none") -> bytes:
    """What a terminal shows until it shows this, or is closed."""
    told = b""
    while until not in told:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        told += more
    return told


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(smolville: Command) -> None:
    words = ("--model", CLUMSY, "-n", "400")
    with typed(smolville, *words) as (process, terminal):
        told = heard(terminal, b"Asking")
        until(lambda: answers_kept(smolville) > 1, "a second answer")
        process.send_signal(signal.SIGINT)
        told += heard(terminal)
        assert process.wait() == 130
    shown = told.decode()
    assert "Asking" in shown
    assert "Interrupted." in shown
    assert "the same words go on." in " ".join(shown.split())
    assert answers_kept(smolville) > 1


def answers_kept(smolville: Command) -> int:
    """How many answers the one evaluation has on disk."""
    found = [*(smolville.runs / ".evals").glob("*.jsonl")]
    return len(found[0].read_text().splitlines()) - 1 if found else 0


def counted(said: Said) -> list[Any]:
    """What an evaluation counted, without times."""
    return [
        {name: part[name] for name in part if "milliseconds" not in name}
        for variant in said.json["variants"]
        for part in variant["steps"].values()
    ]


def test_killed_and_gone_on_with_it_counts_as_undisturbed(smolville: Command) -> None:
    words = ("--model", CLUMSY, "-n", "5", "--limit", "40")
    with typed(smolville, *words) as (process, terminal):
        heard(terminal, b"Asking")
        until(lambda: answers_kept(smolville) > 1, "a second answer")
        process.kill()
        process.wait()
    assert answers_kept(smolville) > 0
    resumed = evaluate(smolville, *words, "--json")
    assert resumed.code == 0, resumed.err
    undisturbed = evaluate(smolville, *words, "--overwrite", "--json")
    assert counted(resumed) == counted(undisturbed)


def test_moments_of_several_runs_are_of_more_people(smolville: Command, mine: Path) -> None:
    shutil.copytree(smolville.runs / "clumsy", smolville.runs / "again")
    several = ("--moments", "again", "--moments", "clumsy", "--limit", "24")
    said = evaluate(smolville, "say", *several, "--prompts", "shipped", "--prompts", str(mine))
    assert said.code == 0, said.err
    assert "people in" in said.out
