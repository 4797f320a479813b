"""Runs of the shipped town that are traced, and what is found of them afterwards."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from smolville.history.digest import digest_parts
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.tracing.listing import list_traces
from smolville.lab.tracing.tree import Span, tree_of
from tests.fixtures.langsmith_server import Receiver
from tests.fixtures.waiting import HANGING
from tests.fixtures.warm import run_warm

ROOT = Path(__file__).parents[2]
MAIN = f"""
from smolville.lab.tracing import langsmith
langsmith.PATIENCE = {HANGING}
from smolville.cli.main import main
main()
"""


def smolville(
    folder: Path, *words: str, env: Mapping[str, str] | None = None, rooms: Path = ROOT
) -> "subprocess.CompletedProcess[str]":
    """The command in a process of its own, without a page, with nothing set that it is not told.

    Where the rooms are another folder's, nothing is warm.
    """
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SMOLVILLE_", "LANGSMITH_", "LANGCHAIN_"))
    }
    around = {**own, "PYTHONPATH": str(rooms / "src"), "SMOLVILLE_HEADLESS": "true", **(env or {})}
    if rooms == ROOT:
        done = run_warm(["-c", MAIN, *words], folder, around)
    else:
        line = [sys.executable, "-c", MAIN, *words]
        done = subprocess.run(line, cwd=folder, env=around, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def run(
    folder: Path, *words: str, env: Mapping[str, str] | None = None, hours: int = 12
) -> "subprocess.CompletedProcess[str]":
    """A clumsy half-day of the shipped town's three."""
    model = ("--model", "standin:mistakes=0.3")
    return smolville(folder, "run", "amber", *model, "--for", f"{hours}h", *words, env=env)


def traced(smith: Receiver) -> dict[str, str]:
    """An environment as LangSmith's own pages set it up."""
    return {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_API_KEY": smith.key,
        "LANGSMITH_ENDPOINT": smith.url,
        "LANGSMITH_PROJECT": "town",
    }


def folder_of(folder: Path) -> RunFolder:
    return RunFolder.open(folder / "runs", "amber")


def spans(folder: Path) -> list[Span]:
    """What the history holds, as trees."""
    with RunReader(folder_of(folder)) as reader:
        found = [tree_of(reader, row.key) for row in list_traces(reader) if not row.is_silent]
    return [each for each in found if each is not None]


def digest(folder: Path) -> dict[str, str]:
    with RunReader(folder_of(folder)) as reader:
        return digest_parts(reader)


def outline(span: Span) -> list[Any]:
    return [span.name, *(outline(child) for child in span.children)]


def said(done: "subprocess.CompletedProcess[str]") -> list[str]:
    """What was said of traces."""
    lines = (done.stdout + done.stderr).splitlines()
    return [line for line in lines if "langsmith" in line.lower() or "trace" in line.lower()]
