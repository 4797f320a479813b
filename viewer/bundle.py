"""The stage's files: style sheets, and modules that are bundled into one script.

A page opened from disk cannot load modules.

Every module becomes a function that is called once, in order of dependency, and returns its exports
as an object. Only some forms can be rewritten in this way, and the stage's code uses no others:
static imports of named exports from relative paths, and exports written before the declarations
they export.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath

from smolville.agents.errors import InternalError

STAGE = Path(__file__).parent / "stage"
"""Scripts and styles, served under `/stage/`."""
SHEETS = STAGE / "styles"
"""Folder of the style sheets."""
EVERYWHERE = ("theme", "frame", "head")
"""Style sheets of every page."""
TOWN = ("theme", "stage", "head", "bar", "strip", "side")
"""Style sheets of a town page, served or exported; later sheets override earlier ones."""

_IMPORT = re.compile(
    r'^import\s+(?:(?P<names>\{[^}]*\})\s+from\s+)?"(?P<path>\.[^"]+)";[ \t]*$', re.MULTILINE
)
_EXPORT = re.compile(
    r"^export\s+(?=(?:async\s+)?(?:function\*?|class|const)\s+(\w+))", re.MULTILINE
)
_UNKNOWN = re.compile(r"^(?:import|export)\b.*$|\bimport\s*\(.*$|\bimport\.meta.*$", re.MULTILINE)


def bundle(folder: Path, *entries: str) -> str:
    """Return one script with the modules `entries` of `folder` and everything they import."""
    return "\n".join(_wrap_module(folder, name) for name in in_order(folder, *entries))


def in_order(folder: Path, *entries: str) -> list[str]:
    """Return modules and everything they import, each after the modules it needs."""
    done: list[str] = []
    waiting: list[str] = []

    def visit(name: str) -> None:
        if name in done:
            return
        if name in waiting:
            around = " > ".join((*waiting[waiting.index(name) :], name))
            raise InternalError(f"the stage's modules import each other in a circle: {around}")
        waiting.append(name)
        for needed in _list_imports(folder, name):
            visit(needed)
        done.append(waiting.pop())

    for entry in entries:
        visit(entry)
    return done


def _list_imports(folder: Path, name: str) -> Iterator[str]:
    for found in _IMPORT.finditer(_text(folder, name)):
        yield _resolve_module(name, found["path"])


def _wrap_module(folder: Path, name: str) -> str:
    """Return the script text of a module: one constant that holds the module's exports."""

    def replace_import(found: re.Match[str]) -> str:
        names = (found["names"] or "").replace(" as ", ": ")
        given = _constant(_resolve_module(name, found["path"]))
        return f"const {names} = {given};" if names else ""

    text = _IMPORT.sub(replace_import, _text(folder, name))
    given = ", ".join(_EXPORT.findall(text))
    text = _EXPORT.sub("", text)
    unknown = _UNKNOWN.search(text)
    if unknown is not None:
        raise InternalError(f"{name} has what a bundle cannot carry: {unknown[0].strip()}")
    return f"// {name}\nconst {_constant(name)} = (() => {{\n{text}\nreturn {{ {given} }};\n}})();"


def _resolve_module(name: str, path: str) -> str:
    return normpath(str(PurePosixPath(name).parent / path))


def _constant(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _text(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")
