"""The places where settings come from, each read by pydantic-settings into one layer."""

import io
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from dotenv.parser import Binding, parse_stream
from pydantic_settings import (
    DotEnvSettingsSource,
    EnvSettingsSource,
    InitSettingsSource,
    SettingsError,
)

from smolville.agents.errors import SettingError
from smolville.agents.text_files import line_of, read_text
from smolville.cli.settings.default_files import DOTENV
from smolville.cli.settings.values import NESTED, PREFIX, SETTINGS, SettingValues

Kind = Literal["flag", "variable", ".env", "file", "profile", "default"]
Way = tuple[str, ...]
"""Path of a setting, or of a step's setting with its tables: `("steps", "say", "tier")`."""


@dataclass(frozen=True)
class Origin:
    """The place where a setting's value comes from."""

    kind: Kind
    name: str = ""
    """The flag, the variable, the file's path, or the model of the profile."""
    line: int | None = None

    def __str__(self) -> str:
        """Return the origin briefly: `--seed`, `SMOLVILLE_SEED`, `.env line 2`."""
        if self.kind == "default":
            return "default"
        if self.kind == "profile":
            return f"profile of {self.name}"
        place = ".env" if self.kind == ".env" else self.name
        return place if self.line is None else f"{place} line {self.line}"

    def of(self, key: str) -> str:
        """Return a phrase that names a key set at this place, for use in a sentence."""
        if self.kind in ("flag", "variable"):
            return self.name
        return f"{self.name if self.kind == '.env' else key} ({self})"


DEFAULT = Origin("default")


@dataclass(frozen=True)
class Layer:
    """The settings from one place."""

    values: Mapping[str, Any] = field(repr=False)
    origin: Callable[[Way], Origin]
    """Function that returns the exact place where the setting with a path is set."""


def flags(given: Mapping[str, Any]) -> Layer:
    """Return the layer of the command line; flags that are None were not given."""
    said = {name: value for name, value in given.items() if value is not None}
    return Layer(said, lambda way: Origin("flag", option_of(".".join(way))))


def option_of(name: str) -> str:
    """Return how a setting is typed: `--seed`, or `--set repairs` if it has no flag of its own."""
    has_flag = name == "prompts" or (name in SETTINGS and SETTINGS[name].flag)
    return f"--{name.replace('_', '-')}" if has_flag else f"--set {name}"


def variables() -> Layer:
    """Return the layer of the process's environment."""
    return Layer(
        _read(EnvSettingsSource(SettingValues), "the environment"),
        lambda way: Origin("variable", _variable(way)),
    )


def dotenv() -> Layer:
    """Return the layer of the `.env` in the working directory; empty without one."""
    lines = {each.key.upper(): each.original.line for each in dotenv_lines() if each.key}
    source = DotEnvSettingsSource(SettingValues, env_file=DOTENV, dotenv_filtering="only_existing")
    return Layer(
        _read(source, str(DOTENV)),
        lambda way: Origin(".env", _variable(way), lines.get(_variable(way))),
    )


def dotenv_lines() -> list[Binding]:
    """Return the lines of `.env`; none if there is no such file."""
    try:
        return list(parse_stream(io.StringIO(read_text(DOTENV))))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SettingError(f"{DOTENV} cannot be read: {_why(error)}.") from error


def settings_file(path: Path, *, is_asked: bool) -> Layer:
    """Return the layer of a TOML file, which may be absent unless the operator named it."""
    try:
        text = read_text(path)
        values = InitSettingsSource(SettingValues, tomllib.loads(text))()
    except FileNotFoundError:
        if is_asked:
            raise SettingError(
                f"There is no settings file {str(path)!r}; `smolville settings --example` "
                "prints one to begin with."
            ) from None
        return Layer({}, lambda way: Origin("file", str(path)))
    except tomllib.TOMLDecodeError as error:
        said, _, at = str(error).removesuffix(")").partition(" (at ")
        lines = text.splitlines() or [""]
        where = f"line {len(lines)}, column {len(lines[-1]) + 1}" if "end of" in at else at
        raise SettingError(
            f"The settings file {str(path)!r} cannot be read: {where}: {said.rstrip('.')}."
        ) from error
    except OSError as error:
        raise SettingError(
            f"The settings file {str(path)!r} cannot be read: {_why(error)}."
        ) from error
    return Layer(values, lambda way: Origin("file", str(path), line_of(text, way)))


def _read(source: EnvSettingsSource, where: str) -> Mapping[str, Any]:
    """Return the values that variables set; a variable for a whole table is refused."""
    try:
        return source()
    except SettingsError as error:
        raise SettingError(
            f"The steps' settings in {where} cannot be read: write a variable for each, "
            f"for example {PREFIX}STEPS{NESTED}SAY{NESTED}TIER=strong."
        ) from error


def _variable(way: Way) -> str:
    return PREFIX + NESTED.join(way).upper()


def _why(error: OSError) -> str:
    """Return why a file cannot be read, in a few words that begin small."""
    told = error.strerror or type(error).__name__
    return told[:1].lower() + told[1:]
