"""The project keeps its own rules: pins, sizes, and what must never be in it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.main import ROOMS as PACKAGES

ROOT = Path(__file__).parent.parent
ROOMS = tuple(sorted({*PACKAGES, "cli", "benchmarks", "tests"} - {"towns"}))
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
NAMED = rf"\b(?:{'|'.join(ROOMS)}|docs|towns)/[\w/.-]+\.(?:py|md|svg|json|jinja)\b"
"""A file of the project, as pages name it; `choose_outfit` is what CONTRIBUTING.md makes up."""
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


def test_every_package_of_the_command_travels_in_the_wheel():
    text = (ROOT / "pyproject.toml").read_text()
    packages = re.search(r"\[tool\.hatch\.build\.targets\.wheel\]\npackages = (\[.*\])", text)
    assert packages is not None
    named = set(re.findall(r'"(\w+)"', packages.group(1)))
    here = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert named == here
