"""Reads a town's text files, with the line of every fault.

They are `town.toml`, `personas/*.toml`, `plot.toml`, and a history of whispers about the past that
agents hear before the first day. The format of the history is that of the original: a header
`Name,Whisper`, then a row for each agent whose second column holds whispers separated by semicolons
(surplus columns are joined with a comma).
"""

import csv
import difflib
import io
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import ErrorDetails

from smolville.agents.entities import Act, Plot
from smolville.agents.errors import TownError
from smolville.agents.persona import Persona
from smolville.agents.text_files import line_of, read_text
from smolville.agents.wording import visible_line

PLOT_FILE = "plot.toml"
"""The outline of a story that comes to the town; a run stores it, so no town's hash has it."""

M = TypeVar("M", bound=BaseModel)

NAMES_SHOWN = 12
"""Maximum number of names listed in a sentence."""

_AT_LINE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")
_SUBJECT = re.compile(r"^\w+ should")

_EXPECTED = {
    "string_pattern_mismatch": "write the full name, first name first",
    "tuple_type": "it should be a list",
    "model_type": "it should be a table of fields",
}
"""Clear words about what is expected, by pydantic's kind of fault."""


def _plain_name(name: str) -> str:
    """Return a file name after checking that it stays inside the town's folder."""
    path = Path(name)
    is_inside = not path.is_absolute() and ".." not in path.parts
    if not is_inside or not path.name or not name.isprintable():
        raise ValueError("name a file inside the town's folder")
    return name


FileName = Annotated[str, AfterValidator(_plain_name)]


class TownPart(BaseModel):
    """A table in a file of a town; unknown keys are faults."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TownSettings(TownPart):
    """The contents of `town.toml`."""

    name: str = Field(min_length=1)
    description: str = ""
    map: FileName = "map.tmj"
    history: FileName | None = None
    """File of whispers about the past, heard before the first day; None if there is none."""
    start_date: date
    """The date of day 1."""
    casts: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Full names in each cast, by its size as text."""


@dataclass(frozen=True, slots=True)
class TownFile:
    """A text file of a town, in which faults can be located."""

    shown: str
    """The path of the file inside the town's folder."""
    text: str = ""

    def fault(self, sentence: str, *keys: str) -> str:
        """Return `file, line n: sentence`, where n is the line of the key."""
        line = self.line_of(*keys)
        return f"{self.shown}, line {line}: {sentence}" if line else f"{self.shown}: {sentence}"

    def line_of(self, *keys: str) -> int | None:
        """Return the line of a key, given by its tables and its name: `weights`, `recency`.

        A table in an array is given by its index: `habits`, `work`, `0`, `start`. If the file does
        not have the key, the result is the line of the innermost of its tables, or None.
        """
        return line_of(self.text, keys)


@dataclass(frozen=True, slots=True)
class PersonaFile:
    """A persona, and the file it comes from."""

    persona: Persona
    file: TownFile


@dataclass(slots=True)
class Residents:
    """The residents of a town, as far as their persona files are readable."""

    found: list[PersonaFile] = field(default_factory=list)
    """The personas in the order of their files' names."""
    names: list[str] = field(default_factory=list)
    """Full names, including names in files that have another fault."""
    is_whole: bool = True
    """False if the name in some file is unreadable."""
    faults: list[str] = field(default_factory=list)


def read_settings(folder: Path) -> tuple[TownSettings | None, TownFile, list[str]]:
    """Return the settings in `town.toml` (None if unusable), the file, and its faults."""
    if not folder.is_dir():
        raise TownError(f"There is no town {str(folder)!r}: no such folder.")
    return read_model(folder, "town.toml", TownSettings)


def read_model(
    folder: Path, name: str, model: type[M], known: Mapping[str, Collection[str]] | None = None
) -> tuple[M | None, TownFile, list[str]]:
    """Return the contents of a TOML file (None if unusable), the file, and its faults.

    `known` are the names that `is_known` accepts, by their kind.
    """
    file, data, faults = _read_toml(folder / name, name)
    if data is None:
        return None, file, faults
    try:
        return model.model_validate(data, context=known), file, []
    except ValidationError as error:
        return None, file, describe_faults(error, file, model)


def is_known(kind: str, told: str) -> AfterValidator:
    """Return a check that a text is one of the names of a kind, which the context has."""

    def check(name: str, info: ValidationInfo) -> str:
        known: Collection[str] = (info.context or {})[kind]
        if name not in known:
            raise ValueError(f"{told}.{nearest(name, known)}")
        return name

    return AfterValidator(check)


def one_line(most: int) -> AfterValidator:
    """Return a check that a text has 1 to `most` characters, which also puts it in one line."""

    def check(text: str) -> str:
        line = " ".join(visible_line(text).split())
        if not 1 <= len(line) <= most:
            raise ValueError(f"write a text of 1 to {most} characters")
        return line

    return AfterValidator(check)


class _Act(TownPart):
    act: Annotated[str, one_line(400)]
    people: tuple[Annotated[str, is_known("people", "nobody in the town is called so")], ...] = ()


class _Plot(TownPart):
    title: Annotated[str, one_line(80)]
    acts: tuple[_Act, ...]

    @model_validator(mode="after")
    def _check_acts(self) -> Self:
        if not 1 <= len(self.acts) <= 12:
            raise ValueError("list 1 to 12 acts")
        return self


def read_plot(folder: Path, people: Collection[str]) -> tuple[Plot | None, list[str]]:
    """Return the plot in a town's folder (None without a file), and its faults as sentences."""
    if not (folder / PLOT_FILE).exists():
        return None, []
    read, _, faults = read_model(folder, PLOT_FILE, _Plot, {"people": people})
    if read is None:
        return None, faults
    acts = tuple(Act(summary=each.act, people=each.people) for each in read.acts)
    return Plot(title=read.title, acts=acts), []


def read_history(
    path: Path, names: Collection[str]
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the whispers of a history file by full name, and its faults as sentences."""
    found: dict[str, tuple[str, ...]] = {}
    faults: list[str] = []
    try:
        rows = list(_rows(read_text(path)))
    except (OSError, csv.Error) as error:
        why = error.strerror if isinstance(error, OSError) else f"not CSV ({error})"
        return {}, [f"{path.name} cannot be read: {why}."]
    if not rows:
        return {}, [f"{path.name}: it is empty; begin with the line Name,Whisper."]
    line, *header = rows[0]
    if [cell.casefold() for cell in header] != ["name", "whisper"]:
        told = f"the header must be Name,Whisper, not {','.join(header)[:60]!r}."
        return {}, [f"{path.name}, line {line}: {told}"]
    for line, name, text in rows[1:]:
        whispers = tuple(filter(None, map(str.strip, text.split(";"))))
        if name not in names:
            told = f"nobody here is called {name!r}.{nearest(name, names)}"
        elif not whispers:
            told = f"{name} has no whisper; write some, parted by semicolons."
        else:
            found[name] = (*found.get(name, ()), *whispers)
            continue
        faults.append(f"{path.name}, line {line}: {told}")
    return found, faults


def _rows(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield (first line, name, whispers) of every row that is not empty."""
    reader, line = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True), 1
    for row in reader:
        name, *columns = (cell.strip() for cell in row or ("",))
        if name or any(columns):
            yield line, name, ", ".join(filter(None, columns))
        line = reader.line_num + 1


def read_people(folder: Path) -> Residents:
    """Return the personas of a town, and a sentence for every fault of their files."""
    people = Residents()
    paths = sorted((folder / "personas").glob("*.toml"))
    if not paths:
        people.is_whole = False
        people.faults.append("personas: the folder is empty; add a .toml file for each person.")
    for path in paths:
        file, data, faults = _read_toml(path, f"personas/{path.name}")
        people.faults += faults
        if data is None or not isinstance(data.get("name"), str):
            people.is_whole = False
        else:
            people.names.append(str(data["name"]))
        if data is not None:
            _read_person(file, data, people)
    return people


def _read_person(file: TownFile, data: dict[str, object], people: Residents) -> None:
    """Add the person in a file, unless another file already has a persona with the same name."""
    if data.pop("company", None) is not None:
        people.faults.append(file.fault("`company` is no field here; a run sets it.", "company"))
    try:
        item = PersonaFile(Persona.model_validate(data), file)
    except ValidationError as error:
        people.faults += describe_faults(error, file, Persona)
        people.is_whole &= all(each["loc"] != ("name",) for each in error.errors())
        return
    name = item.persona.name
    first = next((each for each in people.found if each.persona.name == name), None)
    if first is None:
        people.found.append(item)
    else:
        told = f"{name!r} is there twice, also in {first.file.shown}; rename one."
        people.faults.append(file.fault(told, "name"))


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ` Did you mean ...?` with the nearest of `known`, or the list of them."""
    names = sorted(known)
    folded = {name.casefold(): name for name in names}
    for name in names:
        folded.setdefault((name.casefold().split() or [""])[0], name)
    close = difflib.get_close_matches(word.casefold(), folded, n=3, cutoff=0.6)
    if close:
        return f" Did you mean {' or '.join(dict.fromkeys(folded[name] for name in close))}?"
    rest = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return f" There are: {', '.join(names[:NAMES_SHOWN])}{rest}." if names else ""


def _read_toml(path: Path, shown: str) -> tuple[TownFile, dict[str, object] | None, list[str]]:
    """Return a TOML file as text and as data (None if invalid), and its faults."""
    try:
        text = read_text(path)
    except FileNotFoundError:
        return TownFile(shown), None, [f"{shown} is missing in {path.parent}."]
    except OSError as error:
        return TownFile(shown), None, [f"{shown} cannot be read: {error.strerror}."]
    file = TownFile(shown, text)
    data, faults = parse_toml(file)
    return file, data, faults


def parse_toml(file: TownFile) -> tuple[dict[str, object] | None, list[str]]:
    """Return the data of a TOML file (None if invalid), and its faults."""
    try:
        return tomllib.loads(file.text), []
    except tomllib.TOMLDecodeError as error:
        where = _AT_LINE.search(str(error))
        line = (where[1] if where else None) or str(file.text.count("\n") + 1)
        return None, [f"{file.shown}, line {line}: {_AT_LINE.sub('', str(error))}."]
    except (ValueError, RecursionError) as error:
        what = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
        return None, [f"{file.shown} cannot be read: {what}."]


def describe_faults(error: ValidationError, file: TownFile, model: type[BaseModel]) -> list[str]:
    """Return one sentence for every faulty field of a file."""
    return [_sentence(item, file, model) for item in error.errors(include_url=False)]


def _sentence(item: ErrorDetails, file: TownFile, model: type[BaseModel]) -> str:
    keys = tuple(str(part) for part in item["loc"])
    key = ".".join(part for part in item["loc"] if isinstance(part, str))
    if item["type"] == "missing":
        return file.fault(f"`{key}` is missing.", *keys[:-1])
    if item["type"] == "extra_forbidden":
        known = model.model_fields if len(keys) == 1 else ()
        return file.fault(f"`{key}` is no field here.{nearest(keys[-1], known)}", *keys)
    shown = repr(item["input"])
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    given = "" if isinstance(item["input"], dict | list) else f" is {shown}"
    told = f"`{key}`" if key else "the file"
    return file.fault(f"{told}{given}: {_expected(item)}", *keys)


def _expected(item: ErrorDetails) -> str:
    """Return the end of a sentence on what is expected: `it should be a valid integer.`."""
    words = _SUBJECT.sub("it should", item["msg"].removeprefix("Value error, "))
    words = _EXPECTED.get(item["type"], words)
    return words if words.endswith((".", "?")) else f"{words}."
