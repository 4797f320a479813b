"""Counts the files that somebody must open to follow a story through the code.

    python benchmarks/doors.py [--files]

There are three stories from a real run: a decision about somebody in sight, a reply that is
repaired, and `smolville run --resume` up to its first tick. A file counts once, however often it is
entered. These are left out: the stand-in, the code that reports progress (the terminal's line, the
page's pulse), whatever these two enter themselves, and what modules do when they are imported.
"""

import argparse
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import print_figures, print_table
from smolville.cli.main import main as smolville
from smolville.graphs.mind import build_mind
from tests.fixtures.rooms import ROOMS as PACKAGES

ROOT = Path(__file__).resolve().parent.parent
ROOMS = tuple(sorted({*PACKAGES} - {"towns"}))
ASIDE = (
    *("models/standin/", "graphs/standin/"),
    *("cli/run/progress.py", "history/progress_file.py"),
)

Place = tuple[str, str]
"""A file, and the name of a function in it."""


@dataclass
class Story:
    """The beginning and the end of a story in the code, and the files between them."""

    begins: Place
    ends: Place
    on_return: bool = True
    """True if the story ends when `ends` returns, False if it ends when `ends` is entered."""
    through: Place | None = None
    """A function that must be entered on the way; if the story begins again before that, it
    restarts. None if there is no such function.
    """
    files: dict[str, None] = field(default_factory=dict)
    is_over: bool = False
    _is_open: bool = False
    _is_through: bool = False

    def heard(self, place: Place, event: str) -> None:
        """Record that a function was entered or left."""
        if self.is_over:
            return
        entered = event == "call"
        if entered and place == self.begins and not self._is_through:
            self._is_open, self.files = True, {}
        if not self._is_open:
            return
        if entered:
            self.files[place[0]] = None
            self._is_through = self._is_through or self.through in (None, place)
        if place == self.ends and entered != self.on_return and self._is_through:
            self.is_over = True


class Watch:
    """Follows stories by every function of the project that is entered or left.

    Code that is left out also enters other files; these are not part of a story during that time.
    """

    def __init__(self, *stories: Story) -> None:
        self._stories = stories
        self._names: dict[str, str] = {}
        self._aside = threading.local()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Record one event of `sys.setprofile`."""
        code = frame.f_code
        if event not in ("call", "return") or code.co_name == "<module>":
            return
        name = self._names.get(code.co_filename)
        if name is None:
            name = self._names[code.co_filename] = _of_the_project(code.co_filename)
        if not name:
            return
        depth: int = getattr(self._aside, "depth", 0)
        if name.startswith(ASIDE):
            self._aside.depth = max(0, depth + (1 if event == "call" else -1))
        elif not depth:
            for story in self._stories:
                story.heard((name, code.co_name), event)


def _of_the_project(path: str) -> str:
    """Return a file's path within the project; empty for a file outside of it."""
    if not path.startswith(f"{ROOT}/"):
        return ""
    name = path.removeprefix(f"{ROOT}/")
    return name if name.startswith(ROOMS) else ""


@contextmanager
def watched(watch: Callable[[FrameType, str, object], None]) -> Iterator[None]:
    """Watch every call during the block, in all threads."""
    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def typed(*words: str) -> None:
    """Run a command of smolville in this process, without its output."""
    before = sys.argv
    sys.argv = ["smolville", *words]
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            smolville()
    except SystemExit as ended:
        if ended.code:
            raise
    finally:
        sys.argv = before


def stories(runs: Path) -> dict[str, Story]:
    """Return the three stories, each taken from a run of its own."""
    nodes = "graphs/loop/nodes.py"
    react = Story(("graphs/react.py", "gather"), ("graphs/react.py", "apply"))
    repair = Story((nodes, "parse"), (nodes, "after_parse"), through=(nodes, "repair"))
    resume = Story(("cli/main.py", "main"), ("world/engine.py", "_tick"), on_return=False)
    usual = ("--runs", str(runs), "run")
    lived = ("--quiet", "--headless", "--schedule", "serial")
    with watched(Watch(react)):
        typed(*usual, "react", "--model", "standin", "--for", "14h", *lived)
    with watched(Watch(repair)):
        typed(*usual, "repair", "--model", "standin:missing=0.5", "--for", "8h", *lived)
    with watched(Watch(resume)):
        typed(*usual, "react", "--resume", "--for", "1h", "--quiet", "--headless")
    return {"react": react, "repair": repair, "resume": resume}


AIMS = {"react": 25, "repair": 15, "resume": 40}
TOLD = {
    "react": "somebody in sight is decided about",
    "repair": "a bad reply is repaired",
    "resume": "--resume up to the first tick",
}


def drawn() -> dict[str, int]:
    """Return the mind graph's number of edges, and the largest number that leave one node."""
    edges = build_mind().get_graph(xray=True).edges
    leaving = [edge.source for edge in edges]
    return {"edges": len(edges), "out_degree": max(leaving.count(each) for each in leaving)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", action="store_true", help="list every file, in order")
    asked = parser.parse_args(arguments)
    with TemporaryDirectory() as runs:
        found = stories(Path(runs))
    for name, story in found.items():
        if not story.is_over:
            raise SystemExit(f"the story {name!r} did not come to its end")
        if asked.files:
            print(f"\n{TOLD[name]}")
            print("\n".join(f"  {file}" for file in story.files))
    graph = drawn()
    print_table(
        "Files entered from a story's beginning to its end",
        ("story", "files", "aim"),
        [(TOLD[name], len(story.files), AIMS[name]) for name, story in found.items()],
    )
    print_table(
        "The mind graph, drawn whole",
        ("", "count", "aim"),
        [("edges", graph["edges"], None), ("edges that leave one node", graph["out_degree"], 6)],
    )
    print_figures({**{name: len(story.files) for name, story in found.items()}, **graph})


if __name__ == "__main__":
    main()
