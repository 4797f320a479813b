"""Moments files: JSON Lines with everything needed to ask moments again without their run.

The first line states the kind of file and its format. A template set has a line of its own before
the first moment that was asked with it; it is written only once, since many moments share it.
"""

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

import orjson

from smolville.agents.errors import RunError
from smolville.lab.moments.moment import Moment, plain, read_plain
from smolville.lab.safe_files import Line, Log, append_line, read_log, written_whole
from smolville.prompts.folder import Texts

CASES = "cases.jsonl"
"""File of the moments chosen for a set of templates, beside them."""
LOG = Log("moments", 1, "`smolville export RUN --format jsonl` writes some")


def write_moments(path: Path, moments: Iterable[Moment]) -> int:
    """Write a moments file, replacing an existing one; return the number of moments in it."""
    written, known = 0, set[str]()
    with written_whole(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        append_line(file, {"smolville": LOG.kind, "format": LOG.format})
        for moment in moments:
            name = set_name(moment.templates)
            if name not in known:
                known.add(name)
                append_line(file, {"templates": name, "files": dict(moment.templates)})
            append_line(file, {**plain(moment), "templates": name})
            written += 1
    return written


def cases_file(path: Path) -> Path:
    """Return a moments file: the one named, or the cases beside a folder's templates."""
    return path / CASES if path.is_dir() else path


def add_moments(path: Path, moments: Iterable[Moment]) -> tuple[int, int, Path]:
    """Add moments to a file; return how many are new, how many there are now, and the file.

    One that is there already is replaced. `path` may be a folder of templates.
    """
    path = cases_file(path)
    there = {each.id: each for each in (read_moments(path) if path.exists() else ())}
    found = there | {each.id: each for each in moments}
    if found:
        write_moments(path, found.values())
    return len(found) - len(there), len(found), path


def read_moments(path: Path) -> list[Moment]:
    """Return the moments of a file in their order; RunError gives the problem and its place.

    A moment that occurs twice is returned once.
    """
    found: dict[str, Moment] = {}
    sets: dict[str, Texts] = {}
    for number, line in enumerate(read_log(path, LOG)[1], 2):
        if "files" in line:
            sets[str(line.get("templates"))] = _files(line, path, number)
        else:
            moment = _moment(line, sets, path, number)
            found[moment.id] = moment
    if not found:
        raise RunError(f"{str(path)!r} holds no moment.")
    return list(found.values())


def _files(line: Line, path: Path, number: int) -> Texts:
    files = line["files"]
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        raise RunError(f"{str(path)!r}, line {number} is damaged: no templates.")
    return files


def _moment(line: Line, sets: dict[str, Texts], path: Path, number: int) -> Moment:
    name = line.get("templates")
    if name not in sets:
        raise RunError(
            f"{str(path)!r}, line {number} is damaged: its templates {name!r} are on no line above."
        )
    try:
        return read_plain(line, sets[name])
    except KeyError as error:
        raise RunError(f"{str(path)!r}, line {number} is damaged: no {error}.") from error
    except (ValueError, TypeError) as error:
        why = " ".join(str(error).splitlines()[1:3]) or str(error)
        raise RunError(f"{str(path)!r}, line {number} is damaged: {why}.") from error


def set_name(templates: Texts) -> str:
    """Return the name of a template set: 8 hex digits over its files."""
    data = orjson.dumps(dict(templates), option=orjson.OPT_SORT_KEYS)
    return blake2b(data, digest_size=4).hexdigest()
