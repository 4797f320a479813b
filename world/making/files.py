"""Writes a person into the files of a town: TOML and a CSV history, otherwise left as they are."""

import csv
import io
import json
import tomllib
from collections.abc import Sequence

from smolville.agents.errors import TownError
from smolville.agents.persona import Persona
from smolville.world.town.townfiles import TownFile

PLAIN = ("name", "age", "innate", "learned", "currently", "lifestyle", "home", "work")
"""The fields that come first in a persona file, one on each line."""
HEADER = "Name,Whisper\n"


def persona_text(persona: Persona) -> str:
    """Return the text of a persona file."""
    lines = [_line(key, getattr(persona, key)) for key in PLAIN if getattr(persona, key)]
    lines.append(_line("daily_requirement", persona.daily_requirement))
    lines += ["known_places = [", *(f"  {_value(each)}," for each in persona.known_places), "]"]
    habits = persona.habits
    lines += ["", "[habits]", _line("wake", habits.wake), _line("bed", habits.bed)]
    for work in habits.work or ():
        lines += ["", "[[habits.work]]"]
        lines += [_line(key, getattr(work, key)) for key in ("start", "end", "activity")]
    lines += ["", "[relationships]"]
    lines += [f"{_value(name)} = {_value(told)}" for name, told in persona.relationships.items()]
    return "\n".join(lines) + "\n"


def set_in_table(file: TownFile, table: str, key: str, value: object) -> TownFile:
    """Return a TOML file in which a key of a table has a value; the rest is unchanged.

    With None for the value, the key is removed. Raises TownError if the form of the file does not
    allow this change.
    """
    lines = file.text.rstrip("\n").split("\n")
    wanted = tomllib.loads(file.text)
    is_there = key in wanted.get(table, {})
    line = [] if value is None else [f"{_value(key)} = {_value(value)}"]
    at = file.line_of(table, key) if is_there else file.line_of(table)
    if at is None:
        lines += ["", f"[{table}]", *line]
    else:
        lines[at - 1 if is_there else at : at] = line
    if value is None:
        wanted[table].pop(key, None)
    else:
        wanted.setdefault(table, {})[key] = value
    text = "\n".join(lines) + "\n"
    try:
        is_so = tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        is_so = False
    if not is_so:
        raise TownError(
            f"{file.shown}: `{table}` is written in a form that cannot be changed here; make it a "
            f"table [{table}] with one line for each entry."
        )
    return TownFile(file.shown, text)


def set_row(text: str, name: str, memories: Sequence[str]) -> str:
    """Return a history file's text in which a person has these memories and no others."""
    lines = (text if text.endswith("\n") else f"{text}\n").splitlines(keepends=True)
    reader, last, kept = csv.reader(lines, skipinitialspace=True), 0, list[str]()
    for row in reader:
        if not row or row[0].strip() != name:
            kept += lines[last : reader.line_num]
        last = reader.line_num
    own = io.StringIO()
    csv.writer(own, lineterminator="\n").writerow([name, "; ".join(memories)])
    return "".join(kept) + own.getvalue()


def _line(key: str, value: object) -> str:
    return f"{key} = {_value(value)}"


def _value(value: object) -> str:
    """Return a text, a number or a list as TOML."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
