"""The project keeps its own rules: pins, sizes, and what must never be in it."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.fixtures.rooms import ROOMS as PACKAGES

ROOT = Path(__file__).parent.parent
ROOMS = tuple(sorted({*PACKAGES, "benchmarks", "tests"} - {"towns"}))
PAGES = [
    path
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    if path.stem != "CHANGELOG"
]
NAMED = rf"\b(?:{'|'.join(ROOMS)}|docs|towns)/[\w/.-]+\.(?:py|md|svg|json|jinja)\b"
"""A file of the project, as pages name it; `choose_outfit` is what a page makes up."""
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def test_the_lock_and_uvs_constraints_are_equal():
    script = ROOT / ".ci" / "constraints.py"
    assert subprocess.run([sys.executable, script, "--check"], check=False).returncode == 0


def test_the_lock_is_hashed_and_names_no_address():
    lock = (ROOT / "requirements.lock").read_text()
    assert "://" not in lock
    pinned = re.findall(r"^\S+==\S+", lock, re.MULTILINE)
    assert len(pinned) > 100
    assert lock.count("--hash=sha256:") >= len(pinned)


def test_no_file_has_more_than_600_lines():
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {path.relative_to(ROOT).parts[0] for path in lines} == set(ROOMS)
    assert {str(path): number for path, number in lines.items() if number > 600} == {}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_page_names_is_there(path):
    named = set(re.findall(NAMED, path.read_text(encoding="utf-8")))
    missing = sorted(name for name in named if not (ROOT / name).exists())
    assert [name for name in missing if "choose_outfit" not in name] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_is_short_enough_to_be_read(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= (200 if path.name == "README.md" else 250)
    code, long = False, []
    for number, line in enumerate(lines, 1):
        code ^= line.startswith("```")
        if len(line) > 120 and not code and not line.startswith(("|", "!", "[![")):
            long.append(number)
    assert long == []


def test_every_room_travels_in_the_wheel_and_has_its_link():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    build = project["hatch"]["build"]["targets"]
    package = ROOT / "src" / "smolville"
    inside = [path for path in package.iterdir() if path.name != "__pycache__"]
    links = {path.name: path.readlink() for path in inside if path.is_symlink()}
    assert links == {room: Path("..", "..", room) for room in PACKAGES}
    own = {f"src/smolville/{path.name}" for path in inside if not path.is_symlink()}
    assert {*build["wheel"]["only-include"]} == {*PACKAGES, *own}
    assert {*build["wheel"]["only-include"]} < {*build["sdist"]["only-include"]}
    renamed = {room: f"smolville/{room}" for room in PACKAGES}
    assert build["wheel"]["sources"] == {"src/smolville": "smolville", **renamed}
    assert {*project["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"]} > {*PACKAGES}


def test_in_another_folder_smolville_is_imported_and_no_room_by_its_bare_name(tmp_path):
    code = (
        "from importlib.util import find_spec; import smolville.graphs.mind as mind, agents;"
        f"print(mind.__file__, [name for name in {PACKAGES!r} if find_spec(name)])"
    )
    (tmp_path / "agents.py").write_text("")
    around = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=around,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{ROOT / 'graphs' / 'mind.py'} ['agents']\n"
