"""A run's templates: kept by their version, so that it never depends on any folder again."""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import orjson

from agents.errors import RunError
from prompts.folder import Texts, shipped_texts
from world.runs.folder import RunSpec
from world.runs.moments import interventions_after

if TYPE_CHECKING:
    from graphs.catalogue import Template

KIND = "templates"
"""Of the intervention that changes them."""


def keep_templates(connection: sqlite3.Connection, templates: Mapping[str, "Template"]) -> None:
    """Write templates by name and version; what is known already stays as it is."""
    connection.executemany(
        "INSERT OR IGNORE INTO templates (name, hash, text) VALUES (?, ?, ?)",
        [
            (name, each.version, orjson.dumps(each.files).decode())
            for name, each in templates.items()
        ],
    )


def template_files(connection: sqlite3.Connection, name: str, version: str) -> Texts | None:
    """Return a template and its partials, by file name, as they were under a version, else None."""
    query = "SELECT text FROM templates WHERE name = ? AND hash = ?"
    row = connection.execute(query, (name, version)).fetchone()
    return None if row is None else orjson.loads(row[0])


def sets_of(connection: sqlite3.Connection, spec: RunSpec) -> list[tuple[int, Texts]]:
    """Return a run's templates, each set with the tick from which it holds, the first from 0."""
    versions = dict(spec.prompts)
    found = [(0, _texts(connection, versions, spec.name))]
    for each in interventions_after(connection, -1):
        if each.kind == KIND:
            versions |= orjson.loads(each.text)
            found.append((each.tick, _texts(connection, versions, spec.name)))
    return found


def texts_at(connection: sqlite3.Connection, spec: RunSpec, tick: int) -> Texts:
    """Return the templates that hold at a tick, by file name."""
    return [texts for since, texts in sets_of(connection, spec) if since <= tick][-1]


def _texts(connection: sqlite3.Connection, versions: Mapping[str, str], run: str) -> Texts:
    """Return the files of templates under these versions, over what is shipped now.

    So a step that the program did not have when the run was begun has its shipped template. Raises
    RunError when one is missing.
    """
    return {**shipped_texts(), **dict(_files(connection, versions, run))}


def _files(
    connection: sqlite3.Connection, versions: Mapping[str, str], run: str
) -> Iterator[tuple[str, str]]:
    for name, version in versions.items():
        files = template_files(connection, name, version)
        if files is None:
            raise RunError(
                f"run {run!r} has lost its template {name!r} ({version}): its history is damaged"
            )
        yield from files.items()
