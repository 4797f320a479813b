"""The README is true: its diagrams are the code's, its session is what the command prints."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from graphs.diagram import mind_diagram, step_diagram

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
UPDATE = os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1"
SESSION = (
    ("smolville run first --quiet", 4),
    ("smolville show first", 6),
    ("smolville timeline first --agent Nadia -o nadia.md", 1),
    ('smolville recall first Junko "the lantern party" -n 2 --explain', 7),
    ("smolville show first Nadia --social", 8),
    ('smolville whisper first Walter "Tell somebody that you miss the post office"', 1),
    ("smolville run first --resume --for 12h --quiet", 4),
    ('smolville interview first Junko "What is on this evening?" --as "a news reporter"', 3),
    ('smolville fork first what-if --at "1 14:30"', 1),
    ("smolville run clumsy --model standin:mistakes=0.3 --for 14h --quiet", 3),
    ("smolville health clumsy", 1),
    ("smolville health clumsy --by reason", 10),
    ("smolville runs", 5),
)
"""Each command, and how many lines of what it prints the README shows."""


def part(name: str) -> str:
    """Return what stands between a pair of markers."""
    found = re.search(
        f"<!-- {name}: begin -->\n(.*?)<!-- {name}: end -->", README.read_text(), re.S
    )
    assert found is not None, f"README.md has no part {name!r}"
    return found.group(1)


def hold(name: str, wanted: str) -> None:
    """Compare a part with what it should be, or write it."""
    if UPDATE:
        text = README.read_text()
        old = f"<!-- {name}: begin -->\n{part(name)}<!-- {name}: end -->"
        new = f"<!-- {name}: begin -->\n{wanted}<!-- {name}: end -->"
        README.write_text(text.replace(old, new))
    assert part(name) == wanted, "set SMOLVILLE_UPDATE_GOLDEN=1 to write it anew"


def test_the_minds_diagram_is_the_codes():
    hold("mind", f"```mermaid\n{mind_diagram()}```\n")


def test_the_steps_diagram_is_the_codes():
    hold("step", f"```mermaid\n{step_diagram().strip()}\n```\n")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The session, lived in an empty folder where no model server answers."""
    folder = tmp_path_factory.mktemp("session")
    nowhere = {**os.environ, "OLLAMA_HOST": "127.0.0.1:9", "COLUMNS": "100"}
    lines = ["```console"]
    for words, most in SESSION:
        command = [sys.executable, "-m", "cli.main", *shlex.split(words)[1:]]
        done = subprocess.run(
            command,
            cwd=folder,
            env={**nowhere, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )
        assert done.returncode == 0, done.stderr
        said = [line.rstrip() for line in done.stdout.splitlines() if line.strip()]
        lines += [f"$ {words}", *said[:most], *(["..."] if len(said) > most else [])]
    return "\n".join([*lines, "```", ""])


def test_the_session_is_what_the_command_prints(session: str):
    hold("session", session)


def test_the_two_commands_are_what_a_fresh_machine_needs():
    text = README.read_text()
    bring = "python3 -m venv .uv && .uv/bin/pip install -q uv && .uv/bin/uv run "
    assert f"{bring}smolville run\n" in text
    assert f"{bring}pytest\n" in text


def test_every_file_the_readme_names_is_there():
    text = README.read_text()
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", text) + re.findall(r"`(docs/[\w.]+)`", text)
    assert linked
    for name in linked:
        assert (ROOT / name).exists(), name


def test_the_lines_about_another_world_run_as_they_stand(tmp_path: Path):
    code = re.search(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert code is not None
    done = subprocess.run(
        [sys.executable, "-c", code.group(1)],
        cwd=tmp_path,
        env={**os.environ, "OLLAMA_HOST": "127.0.0.1:9", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "runs" / "lodge" / "town.sqlite").is_file()
