"""Counts what somebody who reads the code must take in.

    python benchmarks/reading.py [--names] [--stories]

Statements are those of Python's syntax tree in the product's packages, including docstrings and
imports. A module with one importer is imported by a single other module of the product. Files of
cognitive steps, packages, and modules that nothing imports (a command's entry) are left out.
"""

import argparse
import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.doors import AIMS as STORY_AIMS
from benchmarks.doors import ROOMS, ROOT, TOLD, stories
from benchmarks.table import Cell, print_figures, print_table
from smolville.graphs.catalogue import STEPS

AIMS = {"statements": 28_570, "files": 400}
"""Aims for the number of statements and of files.

The aim for statements is three quarters of the 38,093 that the product had, in 641 files, before
names, English and packages were first revised.
"""


@dataclass(frozen=True)
class Module:
    """One parsed file of the product."""

    path: str
    name: str
    tree: ast.Module

    @property
    def statements(self) -> int:
        """Return the number of statements, including nested ones."""
        return sum(isinstance(node, ast.stmt) for node in ast.walk(self.tree))

    @property
    def classes(self) -> list[str]:
        """Return the names of the classes defined at the top of the file."""
        return [node.name for node in self.tree.body if isinstance(node, ast.ClassDef)]

    @property
    def is_aside(self) -> bool:
        """Return True for a package's own file and for a file of a cognitive step."""
        stem = Path(self.path).stem
        return stem == "__init__" or stem in {step.name for step in STEPS}


def modules(root: Path = ROOT) -> list[Module]:
    """Return every module of the product, sorted by path."""
    found = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            inside = path.relative_to(root)
            parts = ("smolville", *inside.with_suffix("").parts)
            name = ".".join(parts).removesuffix(".__init__")
            found.append(Module(str(inside), name, ast.parse(path.read_text("utf-8"))))
    return found


def importers(found: Sequence[Module]) -> dict[str, set[str]]:
    """Return the modules that import each module, including imports in functions and for types."""
    names = {module.name for module in found}
    imported: dict[str, set[str]] = defaultdict(set)
    for module in found:
        for name in _imported(module.tree):
            if name in names and name != module.name:
                imported[name].add(module.name)
    return imported


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield every name that may be the name of an imported module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def recurring(found: Sequence[Module]) -> dict[str, int]:
    """Return the public names that several classes have, with the number of those classes."""
    names = Counter(name for module in found for name in module.classes)
    return {name: count for name, count in names.items() if count > 1 and name[0] != "_"}


def by_room(found: Sequence[Module]) -> list[tuple[Cell, ...]]:
    """Return a row for each package with its numbers of files and statements."""
    return [
        (room, len(of), sum(module.statements for module in of))
        for room in ROOMS
        if (of := [module for module in found if module.path.startswith(f"{room}/")])
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--names", action="store_true", help="list the modules with one importer")
    parser.add_argument("--stories", action="store_true", help="also count the stories of doors.py")
    asked = parser.parse_args(arguments)
    found = modules()
    imported = importers(found)
    single = {
        module.path: next(iter(imported[module.name]))
        for module in found
        if len(imported[module.name]) == 1 and not module.is_aside
    }
    again = recurring(found)
    figures = {
        "statements": sum(module.statements for module in found),
        "files": len(found),
        "one_importer": len(single),
        "recurring": len(again),
    }
    print_table("The product's rooms", ("room", "files", "statements"), by_room(found))
    rows: list[tuple[Cell, ...]] = [
        ("statements", figures["statements"], AIMS["statements"]),
        ("files", figures["files"], AIMS["files"]),
        ("modules with one importer", figures["one_importer"], None),
        ("names that several classes have", figures["recurring"], 0),
    ]
    if asked.stories:
        with TemporaryDirectory() as runs:
            entered = {name: len(story.files) for name, story in stories(Path(runs)).items()}
        figures |= entered
        for name, count in entered.items():
            rows.append((f"files entered: {TOLD[name]}", count, STORY_AIMS[name]))
    print_table("To read", ("", "count", "aim"), rows)
    if asked.names:
        print_table("Imported by one module", ("module", "importer"), list(single.items()))
        print_table("Names of several classes", ("name", "classes"), list(again.items()))
    print_figures(figures)


if __name__ == "__main__":
    main()
