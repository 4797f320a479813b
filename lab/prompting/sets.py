"""Template sets by name: a folder's, the shipped ones, those of a run, or those once evaluated.

A folder may say in `set.toml` what its templates are for and what they were made from.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from smolville.agents.errors import RunError
from smolville.graphs.catalogue import check_names, check_templates
from smolville.history.folder import SAMPLES, RunFolder, list_runs
from smolville.history.reader import RunReader
from smolville.lab.evaluation.results import SETS, kept_files, read_head
from smolville.lab.moments.files import set_name
from smolville.prompts.errors import PromptError, PromptFolderError
from smolville.prompts.folder import (
    SHIPPED,
    Texts,
    find_template_folder,
    read_overlaid_texts,
    shipped_texts,
)
from smolville.prompts.prompt import TemplateSet

NOTE = "set.toml"
"""File in a folder of templates that tells their note and their parent."""
_VERSION = re.compile("[0-9a-f]{8}")


@dataclass(frozen=True, kw_only=True)
class SetNote:
    """The origin of a template set."""

    note: str = ""
    """What its author wants with it."""
    parent: str = ""
    """The set that it was made from: `shipped`, a folder, a run or a version."""
    parent_version: str = ""

    @property
    def told(self) -> str:
        """The note and the parent in one line; empty if neither is known."""
        parent = " ".join(dict.fromkeys((self.parent, self.parent_version))).rstrip()
        return " · ".join(filter(None, (self.note, parent and f"from {parent}")))


@dataclass(frozen=True, kw_only=True)
class NamedSet:
    """A template set: all its texts, its name, and its origin."""

    name: str
    texts: Texts = field(repr=False)
    about: SetNote = field(default_factory=SetNote)

    @cached_property
    def version(self) -> str:
        """Eight hex digits over all its texts."""
        return set_name(self.texts)

    @property
    def told(self) -> str:
        """Name, version and origin in one line."""
        title = " ".join(dict.fromkeys((self.name, self.version)))
        return " · ".join(filter(None, (title, self.about.told)))

    @property
    def checked(self) -> TemplateSet:
        """The templates, ready for use; PromptError, with the set's name, if they do not fit."""
        if self.texts == shipped_texts():
            return TemplateSet()
        try:
            return check_templates(self.texts)
        except PromptError as error:
            raise type(error)(f"{self.name}: {error}") from error

    def plain(self) -> dict[str, Any]:
        """Return plain data, with all files: the shipped ones may be others in a later version."""
        origin = {"name": self.name, "version": self.version, **asdict(self.about)}
        return {**origin, "files": dict(self.texts)}


def plain_set(data: Mapping[str, Any]) -> NamedSet:
    """Return the set from data made by `NamedSet.plain`."""
    return NamedSet(name=data["name"], texts=data["files"], about=_note(data))


def _note(data: Mapping[str, Any]) -> SetNote:
    return SetNote(**{name: str(data.get(name, "")) for name in SetNote.__dataclass_fields__})


def read_note(folder: Path) -> SetNote:
    """Return what a folder says of its templates; PromptFolderError if it cannot be read."""
    path = folder / NOTE
    try:
        return _note(tomllib.loads(path.read_text("utf-8-sig")))
    except FileNotFoundError:
        return SetNote()
    except OSError as error:
        raise PromptFolderError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise PromptFolderError(f"{str(path)!r} is not TOML: {error}") from error


def write_note(folder: Path, about: SetNote, *, overwrite: bool = False) -> None:
    """Write a folder's note and parent; of a folder that has some, only a new note."""
    path = folder / NOTE
    if path.exists() and not overwrite:
        if not about.note:
            return
        about = replace(read_note(folder), note=about.note)
    lines = (
        f"{name} = {json.dumps(text, ensure_ascii=False)}\n".replace("\x7f", "\\u007f")
        for name, text in asdict(about).items()
    )
    try:
        path.write_text("".join(lines), encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise RunError(f"{str(path)!r} cannot be written: {error}.") from error


def find_set(name: str, runs: Path) -> NamedSet:
    """Return the set of this name: a folder, `shipped`, a shipped overlay, a run, or a version.

    Raises PromptFolderError if there is none, or a file in the folder belongs to no step.
    """
    try:
        folder = find_template_folder(Path(name))
    except PromptFolderError as error:
        if name in (*list_runs(runs), *SAMPLES):
            with RunReader(RunFolder.open(runs, name)) as reader:
                return NamedSet(name=name, texts=reader.template_sets()[-1][1])
        if _VERSION.fullmatch(name):
            for path in kept_files(runs):
                with suppress(RunError):
                    for data in read_head(path).get(SETS, ()):
                        if data["version"] == name:
                            return replace(plain_set(data), name=name)
        raise PromptFolderError(f"{error}; nor is it a run or the version of a set") from error
    if folder is None:
        return NamedSet(name=name, texts=shipped_texts())
    texts = read_overlaid_texts(folder)
    check_names([each for each in texts if not each.startswith("_")], shipped_texts())
    return NamedSet(name=name, texts=texts, about=read_note(folder))


def find_sets(names: Iterable[Path], runs: Path) -> list[NamedSet]:
    """Return the sets of these names, each once; the shipped one if there are none."""
    return [find_set(str(name), runs) for name in dict.fromkeys(names) or (Path(SHIPPED),)]
