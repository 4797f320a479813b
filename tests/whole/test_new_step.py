"""What the page on a new step says is all there is to do: a copy of the project does it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from tests.fixtures.langsmith_server import Receiver, serve_langsmith
from tests.fixtures.new_step import add_new_step
from tests.fixtures.small_town import write_small_town
from tests.whole.traced_runs import smolville, traced

STEP = "choose_outfit"
RUN = "dressed"
PEOPLE = 2
STUDIO = "from smolville.lab.studio import GRAPHS; print(*GRAPHS)"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which the page was followed."""
    folder = tmp_path_factory.mktemp("project")
    named = add_new_step(folder)
    assert named == [
        f"parsers/{STEP}.py",
        f"prompts/{STEP}.jinja",
        f"graphs/{STEP}.py",
        "graphs/mind.py",
        "graphs/catalogue.py",
    ]
    return folder


@pytest.fixture(scope="module")
def smith(project: Path) -> Iterator[Receiver]:
    """What a half-day of two people sends to LangSmith."""
    with serve_langsmith() as receiver:
        town = write_small_town(project / "small")
        cast = ("--town", str(town), "--cast", str(PEOPLE))
        words = ("run", RUN, *cast, "--model", "standin", "--for", "12h", "--quiet")
        smolville(project, *words, env=traced(receiver), rooms=project)
        yield receiver


def own(project: Path) -> dict[str, str]:
    """The rooms of the copy."""
    return {"PYTHONPATH": str(project / "src")}


def python(project: Path, *words: str) -> str:
    """Return what Python prints in the copy."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=project,
        env={**os.environ, **own(project)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_everybody_takes_the_step_once_on_a_day_and_remembers_it(
    project: Path, smith: Receiver
) -> None:
    with RunReader(RunFolder.open(project / "runs", RUN)) as reader:
        taken = [step for row in reader.thoughts() for step in row.path if step == STEP]
        assert not [row.failed for row in reader.thoughts() if row.failed]
    assert len(taken) == PEOPLE
    for agent in ("Ada Brook", "Ben Hollis"):
        told = smolville(project, "recall", RUN, agent, "clothes", "-n", "99", rooms=project)
        assert f"{agent} wears the " in " ".join(told.stdout.split())


def test_the_step_is_in_a_trace_with_its_question_and_its_answer(smith: Receiver) -> None:
    steps = [each for tree in smith.trees() for each in tree.walk() if each.name == STEP]
    assert len(steps) == PEOPLE
    for step in steps:
        assert step.metadata["outcome"] == "clean"
        assert step.outputs["answer"]["outfit"] in step.inputs["wardrobe"]
        assert [each.run_type for each in step.walk()].count("llm") == 1


def test_the_step_is_listed_with_its_prompt(project: Path) -> None:
    lines = smolville(project, "prompt", "show", rooms=project).stdout.splitlines()
    (at,) = [at for at, line in enumerate(lines) if line.split()[:1] == [STEP]]
    assert "me date requirement wardrobe" in " ".join(lines[at + 1 : at + 3])


def test_the_step_is_in_studio(project: Path) -> None:
    assert f"step: {STEP}" in python(project, "-c", STUDIO)


def test_the_tests_of_every_step_hold_for_it(project: Path) -> None:
    file = "tests/graphs/test_every_step.py"
    words = ("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-k", STEP)
    (passed,) = re.findall(r"^(\d+) passed", python(project, *words, file), re.MULTILINE)
    assert int(passed) == (project / file).read_text(encoding="utf-8").count("\n@EACH\n")
