"""Writes the files of a town in the form in which people write them: TOML, and a CSV history."""

import csv
import io
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date

from smolville.agents.errors import TownError
from smolville.agents.persona import Persona
from smolville.world.town.townfiles import TownFile

_HEADER = re.compile(r"^\s*\[")
PLAIN = ("name", "age", "innate", "learned", "currently", "lifestyle", "home", "work")
"""The fields that come first in a persona file, one on each line."""


def persona_text(persona: Persona) -> str:
    """Return the text of a persona file."""
    lines = [f"{key} = {_value(getattr(persona, key))}" for key in PLAIN if getattr(persona, key)]
    lines.append(f"daily_requirement = {_value(persona.daily_requirement)}")
    lines += ["known_places = [", *(f"  {_value(each)}," for each in persona.known_places), "]"]
    habits = persona.habits
    lines += ["", "[habits]", f"wake = {_value(habits.wake)}", f"bed = {_value(habits.bed)}"]
    for work in habits.work or ():
        lines += ["", "[[habits.work]]"]
        lines += [f"{key} = {_value(getattr(work, key))}" for key in ("start", "end", "activity")]
    lines += ["", "[relationships]"]
    lines += [relationship_line(*each) for each in persona.relationships.items()]
    return "\n".join(lines) + "\n"


def settings_text(
    name: str, description: str, start_date: date, casts: Mapping[int, Sequence[str]]
) -> str:
    """Return the text of `town.toml`."""
    lines = [
        f"name = {_value(name)}",
        f"description = {_value(description)}",
        'map = "map.tmj"',
        'history = "history.csv"',
        f"start_date = {start_date.isoformat()}",
        "",
        "[casts]",
        *(cast_line(names) for _, names in sorted(casts.items())),
    ]
    return "\n".join(lines) + "\n"


def plot_text(title: str, acts: Sequence[str]) -> str:
    """Return the text of `plot.yaml`; texts are quoted as in JSON, which YAML reads."""
    lines = [f"  - act: {json.dumps(act, ensure_ascii=False)}" for act in acts]
    return "\n".join([f"title: {json.dumps(title, ensure_ascii=False)}", "acts:", *lines]) + "\n"


def cast_line(names: Sequence[str]) -> str:
    """Return the line of a cast in `town.toml`."""
    return f"{_value(str(len(names)))} = [{', '.join(map(_value, names))}]"


def relationship_line(name: str, told: str) -> str:
    """Return the line of a relationship in a persona file."""
    return f"{_value(name)} = {_value(told)}"


def history_row(name: str, memories: Sequence[str]) -> str:
    """Return somebody's row of a history file."""
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow([name, "; ".join(memories)])
    return row.getvalue()


def set_in_table(text: str, table: str, key: str, value: object, line: str, shown: str) -> str:
    """Return a TOML file's text in which a key of a table has a value; the rest is unchanged.

    `line` is the line for the file, and `shown` is the file's name in errors.

    Raises TownError if the form of the file does not allow this change.
    """
    lines = text.removesuffix("\n").split("\n")
    at = TownFile(shown, text).line_of(table, key)
    if key in tomllib.loads(text).get(table, {}) and at is not None:
        lines[at - 1] = line
    else:
        head = next((n for n, each in enumerate(lines) if _names_table(each, table)), None)
        if head is None:
            lines += ["", f"[{table}]"]
            head = len(lines) - 1
        lines.insert(_end_of_table(lines, head + 1), line)
    wanted = tomllib.loads(text)
    wanted.setdefault(table, {})[key] = value
    return _checked(lines, wanted, table, shown)


def drop_from_table(text: str, table: str, key: str, shown: str) -> str:
    """Return a TOML file's text without a key of one of its tables; the rest is unchanged.

    Raises TownError if the form of the file does not allow this change.
    """
    lines = text.removesuffix("\n").split("\n")
    at = TownFile(shown, text).line_of(table, key)
    if at is not None:
        del lines[at - 1]
    wanted = tomllib.loads(text)
    del wanted[table][key]
    return _checked(lines, wanted, table, shown)


def _checked(lines: Sequence[str], wanted: object, table: str, shown: str) -> str:
    """Return `lines` as a text; raise TownError if they, read as TOML, differ from `wanted`."""
    text = "\n".join(lines) + "\n"
    try:
        is_so = tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        is_so = False
    if not is_so:
        raise TownError(
            f"{shown}: `{table}` is written in a form that cannot be changed here; make it a "
            f"table [{table}] with one line for each entry."
        )
    return text


def _names_table(line: str, table: str) -> bool:
    """Return whether a line is the header of this table."""
    return re.fullmatch(rf"\s*\[\s*{table}\s*\]\s*(#.*)?", line) is not None


def _end_of_table(lines: Sequence[str], first: int) -> int:
    """Return the index of the line after a table.

    Comments and empty lines at the end of a table are left to the next table.
    """
    end = at = first
    while at < len(lines) and not _HEADER.match(lines[at]):
        at += 1
        if lines[at - 1].strip() and not lines[at - 1].lstrip().startswith("#"):
            end = at
    return end


def _value(value: object) -> str:
    """Return a text or a number as TOML."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
