"""Reads a YAML file of a town into a model, and says in which line each fault is."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
)

from smolville.agents.text_files import read_text
from smolville.agents.wording import visible_line
from smolville.world.town.townfiles import describe_faults, nearest

_LARGEST = 1_000_000
"""Maximum size of a file in bytes."""

Model = TypeVar("Model", bound=BaseModel)


class YamlPart(BaseModel):
    """A mapping in a YAML file of a town; unknown keys are faults."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


def _as_list(value: object) -> object:
    items = value if isinstance(value, list) else [value]
    if any(isinstance(item, dict) for item in items):
        raise ValueError('put a text with a colon into quotes: "Park: lawn"')
    return items


Text = Annotated[str, Field(min_length=1)]
LISTED = BeforeValidator(_as_list)
"""Marks a field that takes one value, or a list of values."""


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


class YamlFile:
    """A file in a town's folder, in which faults can be located; `data` is None without a file."""

    def __init__(self, folder: Path, name: str) -> None:
        self.shown = name
        self.data: Any = None
        self.faults: list[str] = []
        self._lines: dict[tuple[str, ...], int] = {}
        try:
            if (folder / name).exists():
                text = read_text(folder / name, largest=_LARGEST)
                root = yaml.compose(text, Loader=yaml.SafeLoader)
                self.data = None if root is None else self._plain(root, ())
        except OSError as error:
            self.faults.append(f"{name} cannot be read: {error.strerror}.")
        except RecursionError:
            self.faults.append(f"{name} cannot be read: it is nested too deep.")
        except yaml.YAMLError as error:
            mark, what = getattr(error, "problem_mark", None), getattr(error, "problem", None)
            told = visible_line(str(what or getattr(error, "reason", "it is no YAML")))
            at = f", line {mark.line + 1}" if mark is not None else ""
            self.faults.append(f"{name}{at}: {told}; it must be YAML.")

    def read(self, model: type[Model], context: Mapping[str, Any]) -> Model | None:
        """Return the file's data as a model; None without data, and after recording its faults."""
        if self.data is None or self.faults:
            return None
        try:
            return model.model_validate(self.data, context=dict(context))
        except ValidationError as error:
            self.faults += describe_faults(error, self, model)
            return None

    def fault(self, sentence: str, *keys: str) -> str:
        """Return `file, line n: sentence`, where n is the line of the innermost of these keys."""
        known = (self._lines.get(keys[:end]) for end in range(len(keys), -1, -1))
        return f"{self.shown}, line {next(filter(None, known), 1)}: {sentence}"

    def _plain(self, node: yaml.Node, path: tuple[str, ...]) -> Any:
        self._lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(item, (*path, str(at))) for at, item in enumerate(node.value)]
        if not isinstance(node, yaml.MappingNode):
            return node.value
        found: dict[str, Any] = {}
        for key, value in node.value:
            name = visible_line(str(key.value))
            self._lines[*path, name] = key.start_mark.line + 1
            if name in found:
                self.faults.append(self.fault(f"`{name}` is there twice.", *path, name))
            found[name] = self._plain(value, (*path, name))
        return found
