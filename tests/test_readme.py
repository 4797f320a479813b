"""README and pages are true: diagrams are the code's, sessions are what the commands print."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from smolville.graphs.loop.graph import build_step
from smolville.graphs.mind import build_action, build_mind
from smolville.graphs.react import STEP as REACT
from tests.fixtures.warm import run_warm

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
INSIDE = ROOT / "docs" / "built" / "inside.md"
PAGES = {
    "mind": README,
    "phase": INSIDE,
    "step": INSIDE,
    "session": ROOT / "docs" / "start" / "first-town.md",
    "lab": ROOT / "docs" / "guides" / "prompt-lab.md",
    "tried": ROOT / "docs" / "guides" / "prompt-lab.md",
}
"""The page that holds each part."""
WORLD = ROOT / "docs" / "guides" / "another-world.md"
UPDATE = os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1"
SESSION = (
    ("smolville run first --quiet", 4),
    ("smolville show first", 6),
    ("smolville timeline first --agent Nadia -o nadia.md", 1),
    ('smolville recall first Junko "the lantern party" -n 2 --explain', 7),
    ("smolville show first Nadia social", 8),
    ('smolville tell first Walter "Tell somebody that you miss the post office"', 1),
    ("smolville run first --resume --for 12h --quiet", 4),
    ('smolville interview first Junko "What is on this evening?" --as "a news reporter"', 3),
    ("smolville show first Junko interviews", 4),
    ('smolville fork first what-if --at "1 14:30"', 1),
    ("smolville run clumsy --model standin:mistakes=0.4 --seed 2 --for 18h --quiet", 4),
    ("smolville health clumsy", 2),
    ("smolville health clumsy --by reason", 10),
    ("smolville runs", 6),
)
"""Each command, and how many lines of what it prints the page shows."""
SAY = "Check: the JSON has `text` and `ends`, and is never cut short."
LAB = (
    ("smolville moments clumsy --step say --outcome repaired", 6),
    ("smolville prompt render clumsy/{moment}", 6),
    ('smolville prompt eject mine say --note "Replies are whole"', 1),
    (f"sed -i '/^{{{{ format }}}}/i {SAY}\\n' mine/say.jinja", 0),
    ("smolville prompt lint mine", 2),
    (
        "smolville prompt eval say --moments clumsy --moments first "
        "--prompts shipped --prompts mine --model standin:mistakes=0.9",
        42,
    ),
)
TRIED = (
    ("smolville prompt history", 4),
    ("smolville prompt history --best say", 3),
    ("smolville prompt diff clumsy mine say", 10),
    ("smolville moments clumsy --step say --outcome repaired -n 1 --add mine", 5),
    (
        "smolville prompt eval --moments mine --prompts mine --junit cases.xml --max-objected 0 "
        "--model standin:mistakes=0.9",
        5,
    ),
)
"""What follows it in the same folder.

`{moment}` is the second one that the first command lists, or the only one.
"""
TIMES = re.compile(r"\b[\d.,]+ (?:ms|s|min)\b|\b\d{4}-\d\d-\d\d \d\d:\d\d\b")
"""What differs from machine to machine."""
LISTED = re.compile(r"([0-9a-f]{8})  ")
"""A moment in a list, by its id."""
VERSION = re.compile(r"\b(shipped |mine )?[0-9a-f]{8}(?= ·|  20|$)", re.M)
"""Versions of templates and of what was asked with them: every edit of a template changes them."""
RULE = re.compile("─+")
"""As long as a table is wide: a longer time makes it longer."""


def part(name: str) -> str:
    """Return what stands between a pair of markers."""
    found = re.search(
        f"<!-- {name}: begin -->\n(.*?)<!-- {name}: end -->", PAGES[name].read_text(), re.S
    )
    assert found is not None, f"{PAGES[name]} has no part {name!r}"
    return found.group(1)


def hold(name: str, wanted: str, alike: Callable[[str], str] = str) -> None:
    """Compare a part with what it should be, or write it; `alike` takes out what may differ."""
    if UPDATE:
        text = PAGES[name].read_text()
        old = f"<!-- {name}: begin -->\n{part(name)}<!-- {name}: end -->"
        new = f"<!-- {name}: begin -->\n{wanted}<!-- {name}: end -->"
        PAGES[name].write_text(text.replace(old, new))
    assert alike(part(name)) == alike(wanted), "set SMOLVILLE_UPDATE_GOLDEN=1 to write it anew"


@pytest.mark.parametrize(
    ("name", "graph"),
    [("mind", build_mind()), ("phase", build_action()), ("step", build_step(REACT))],
)
def test_a_diagram_is_the_codes(name: str, graph: Any):
    hold(name, f"```mermaid\n{graph.get_graph().draw_mermaid().strip()}\n```\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder in which both sessions are lived."""
    return tmp_path_factory.mktemp("session")


@pytest.fixture(scope="module")
def session(folder: Path) -> str:
    """The session, lived where no model server answers."""
    return lived(SESSION, folder)


def lived(commands: Sequence[tuple[str, int]], folder: Path) -> str:
    """Return commands with the beginning of what they print, as a page shows it."""
    nowhere = {**os.environ, "OLLAMA_HOST": "127.0.0.1:9", "COLUMNS": "100"}
    lines = ["```console"]
    for words, most in commands:
        listed = [found[1] for line in lines if (found := LISTED.match(line))]
        words = words.replace("{moment}", listed[:2][-1] if listed else "")
        command = shlex.split(words)
        if command[0] == "smolville":
            around = {**nowhere, "PYTHONPATH": str(ROOT / "src")}
            done = run_warm(["-m", "smolville.cli.main", *command[1:]], folder, around)
        else:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said = [line.rstrip() for line in done.stdout.splitlines() if line.strip()]
        lines += [f"$ {words}", *said[:most], *(["..."] if len(said) > most else [])]
    return "\n".join([*lines, "```", ""])


def test_the_session_is_what_the_command_prints(session: str):
    hold("session", session, alike=without_times)


def without_times(text: str) -> str:
    """Return a session without what differs from machine to machine, its blanks and its rules."""
    return " ".join(RULE.sub("─", TIMES.sub("", VERSION.sub("", text))).split())


def test_the_prompt_lab_is_what_the_commands_print(session: str, folder: Path):
    hold("lab", lived(LAB, folder), alike=without_times)
    hold("tried", lived(TRIED, folder), alike=without_times)


def test_the_two_commands_are_what_a_fresh_machine_needs():
    text = README.read_text()
    bring = "python3 -m venv .uv && .uv/bin/pip install -q uv && .uv/bin/uv run "
    assert f"{bring}smolville run\n" in text
    assert f"{bring}pytest\n" in text


def test_every_file_the_readme_names_is_there():
    text = README.read_text()
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", text) + re.findall(r"`(docs/[\w./]+)`", text)
    assert linked
    for name in linked:
        assert (ROOT / name).exists(), name


def test_the_lines_about_another_world_run_as_they_stand(tmp_path: Path):
    code = re.search(r"```python\n(.*?)```", WORLD.read_text(), re.DOTALL)
    assert code is not None
    done = subprocess.run(
        [sys.executable, "-c", code.group(1)],
        cwd=tmp_path,
        env={**os.environ, "OLLAMA_HOST": "127.0.0.1:9", "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "runs" / "lodge" / "town.sqlite").is_file()
