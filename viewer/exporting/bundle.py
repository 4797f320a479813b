"""The stage's scripts as one script: a page from disk may not fetch modules, so none is left.

Every module becomes a function that is called once, in the order of what it needs, and gives its
exports as an object. The stage keeps to what is rewritten here: static imports of named exports
from relative paths, and exports written before what they declare.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath

from agents.errors import InternalError

_IMPORT = re.compile(
    r'^import\s+(?:(?P<names>\{[^}]*\})\s+from\s+|\*\s+as\s+(?P<whole>\w+)\s+from\s+)?'
    r'"(?P<path>\.[^"]+)";[ \t]*$',
    re.MULTILINE,
)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function\*?|class|const)\s+(\w+))", re.MULTILINE)
_UNKNOWN = re.compile(r"^(?:import|export)\b.*$|\bimport\s*\(.*$|\bimport\.meta.*$", re.MULTILINE)


def bundle(folder: Path, entry: str) -> str:
    """Return a script that does what the module `entry` in `folder` does, with all it imports."""
    return "\n".join(_wrapped(folder, name) for name in in_order(folder, entry))


def in_order(folder: Path, entry: str) -> list[str]:
    """Return a module and all it imports, each behind those it needs."""
    done: list[str] = []
    waiting: list[str] = []

    def visit(name: str) -> None:
        if name in done:
            return
        if name in waiting:
            around = " > ".join((*waiting[waiting.index(name) :], name))
            raise InternalError(f"the stage's modules import each other in a circle: {around}")
        waiting.append(name)
        for needed in _needed(folder, name):
            visit(needed)
        done.append(waiting.pop())

    visit(entry)
    return done


def _needed(folder: Path, name: str) -> Iterator[str]:
    for found in _IMPORT.finditer(_text(folder, name)):
        yield _meant(name, found["path"])


def _wrapped(folder: Path, name: str) -> str:
    """Return a module as a constant that holds its exports."""
    exports: list[str] = []

    def imported(found: re.Match[str]) -> str:
        given = _constant(_meant(name, found["path"]))
        if found["whole"]:
            return f"const {found['whole']} = {given};"
        names = (found["names"] or "").replace(" as ", ": ")
        return f"const {names} = {given};" if names else ""

    def exported(found: re.Match[str]) -> str:
        exports.append(found[1])
        return ""

    text = _EXPORT.sub(exported, _IMPORT.sub(imported, _text(folder, name)))
    unknown = _UNKNOWN.search(text)
    if unknown is not None:
        raise InternalError(f"{name} has what a bundle cannot carry: {unknown[0].strip()}")
    given = ", ".join(exports)
    return f"// {name}\nconst {_constant(name)} = (() => {{\n{text}\nreturn {{ {given} }};\n}})();"


def _meant(name: str, path: str) -> str:
    """Return which module a relative path means in the module `name`."""
    return normpath(str(PurePosixPath(name).parent / path))


def _constant(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _text(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")
