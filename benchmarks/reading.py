"""Counts what somebody who reads the code must take in.

    python -m benchmarks.reading [--files]

Lines are those of the product's Python files; code lines are neither blank, comments nor
docstrings. A circle is a set of modules that import each other, directly or through others, with
imports in functions and for types alike. A story is followed through a real run: a file counts
once, however often it is entered. Left out of stories are the stand-in, the code that reports
progress (the terminal's line, the page's pulse), whatever these enter themselves, and what modules
do when they are imported. `--files` lists the files of each story and the modules of each circle.
"""

import argparse
import ast
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import typer.main

from benchmarks.table import Cell, print_figures, print_table
from smolville.cli.app import app
from smolville.cli.main import main as smolville

ROOT = Path(__file__).resolve().parent.parent
ROOMS = tuple(
    sorted(path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name != "towns")
)
ASIDE = (
    *("models/standin/", "graphs/standin/"),
    *("cli/run/progress.py", "history/progress_file.py"),
)
AIMS = {
    **{"lines": 65_000, "code lines": 46_000, "files": 420, "longest file": 600, "circles": 0},
    **{"commands": 32, "react": 45, "repair": 30, "resume": 55},
}

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
    nodes = "graphs/loop/graph.py"
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


TOLD = {
    "react": "somebody in sight is decided about",
    "repair": "a bad reply is repaired",
    "resume": "--resume up to the first tick",
}


@dataclass(frozen=True)
class Module:
    """A file of the product."""

    path: str
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """Return the name by which the module is imported."""
        parts = Path(self.path).with_suffix("").parts
        return ".".join(("smolville", *parts)).removesuffix(".__init__")

    @property
    def lines(self) -> int:
        """Return the number of lines."""
        return self.text.count("\n")

    @property
    def code_lines(self) -> int:
        """Return the number of lines that are neither blank, comments nor docstrings."""
        told: set[int] = set()
        for node in ast.walk(self.tree):
            body = getattr(node, "body", ())
            for each in body if isinstance(body, list) else ():
                if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                    told |= set(range(each.lineno, (each.end_lineno or each.lineno) + 1))
        lines = enumerate(self.text.splitlines(), 1)
        return sum(
            bool(line.strip()) and line.strip()[0] != "#" for n, line in lines if n not in told
        )


def modules(root: Path = ROOT) -> list[Module]:
    """Return every module of the product, sorted by path."""
    paths = sorted(path for room in ROOMS for path in (root / room).rglob("*.py"))
    texts = [(str(path.relative_to(root)), path.read_text("utf-8")) for path in paths]
    return [Module(path, text, ast.parse(text)) for path, text in texts]


def imports(found: Sequence[Module]) -> dict[str, set[str]]:
    """Return the modules that each module imports, in functions and for types as well."""
    names = {module.name for module in found}
    return {
        module.name: {name for name in _imported(module.tree) if name in names} - {module.name}
        for module in found
    }


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def circles(imported: dict[str, set[str]]) -> list[list[str]]:
    """Return the sets of modules that import each other, the largest first."""
    reached = {name: _reached(name, imported) for name in imported}
    found = {
        frozenset(other for other in reached[name] if name in reached[other]) | {name}
        for name in imported
    }
    return sorted((sorted(each) for each in found if len(each) > 1), key=len, reverse=True)


def _reached(name: str, imported: dict[str, set[str]]) -> set[str]:
    found, left = set[str](), [name]
    while left:
        new = imported[left.pop()] - found
        found |= new
        left += new
    return found


def commands() -> dict[str, int]:
    """Return the number of options of every command, by its full name."""
    found: dict[str, int] = {}

    def walk(command: Any, name: str) -> None:
        parts = getattr(command, "commands", {})
        if not parts or getattr(command, "invoke_without_command", False):
            given = command.get_params(command.context_class(command))
            # All but `--help`.
            found[name.strip()] = sum(each.param_type_name == "option" for each in given) - 1
        for part, inner in parts.items():
            if not inner.hidden:
                walk(inner, f"{name} {part}")

    walk(typer.main.get_command(app), "")
    return found


def by_room(found: Sequence[Module]) -> list[tuple[Cell, ...]]:
    """Return a row for each room with its numbers of files, lines and code lines."""
    rooms: dict[str, list[Module]] = defaultdict(list)
    for module in found:
        rooms[module.path.partition("/")[0]].append(module)
    return [
        (room, len(of), sum(m.lines for m in of), sum(m.code_lines for m in of))
        for room, of in sorted(rooms.items())
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", action="store_true", help="list files of stories and circles")
    asked = parser.parse_args(arguments)
    found = modules()
    knots, options = circles(imports(found)), commands()
    with TemporaryDirectory() as runs:
        told = stories(Path(runs))
    if asked.files:
        for title, names in ((TOLD[name], story.files) for name, story in told.items()):
            print(f"\n{title}", *names, sep="\n  ")
        for knot in knots:
            print("\ncircle", *knot, sep="\n  ")
    longest = max(found, key=lambda module: module.lines)
    figures: dict[str, int] = {
        "lines": sum(module.lines for module in found),
        "code lines": sum(module.code_lines for module in found),
        "files": len(found),
        "longest file": longest.lines,
        "circles": len(knots),
        "commands": len(options),
        "options": sum(options.values()),
        **{name: len(story.files) for name, story in told.items()},
    }
    print_table("By room", ("room", "files", "lines", "code lines"), by_room(found))
    rows = [(TOLD.get(name, name), value, AIMS.get(name)) for name, value in figures.items()]
    print_table("The whole", ("", "count", "aim"), rows)
    print_figures(figures)


if __name__ == "__main__":
    main()
