"""Choose every setting: by flag, variable, `.env`, settings file, or the model's profile."""

import difflib
import io
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, NoReturn

from dotenv import dotenv_values
from pydantic import ValidationError
from pydantic_settings import (
    DotEnvSettingsSource,
    EnvSettingsSource,
    InitSettingsSource,
    SettingsError,
)

from smolville.agents.errors import SettingError
from smolville.agents.text_files import read_text
from smolville.cli.settings.default_files import DOTENV, FILE_VARIABLE, SETTINGS_FILE
from smolville.cli.settings.values import (
    NESTED,
    PREFIX,
    PROFILED,
    SECRET,
    SETTINGS,
    NotASpec,
    SettingValues,
    StepValues,
    profile_of,
    read_model,
    setting_of,
)
from smolville.graphs.loop.rules import Rules, StepRule
from smolville.models.errors import SpecError
from smolville.models.keys import hide
from smolville.models.request import ModelSettings
from smolville.prompts.folder import step_names

TIERS = ("fast", "strong")
LIKE = 0.8
"""Similarity (difflib ratio) to a setting from which an unknown variable counts as a
misspelling."""
Kind = Literal["flag", "variable", ".env", "file", "profile", "default"]
Way = tuple[str, ...]
"""Path of a setting, or of a step's setting with its tables: `("steps", "say", "tier")`."""


@dataclass(frozen=True)
class Origin:
    """The place where a setting's value comes from."""

    kind: Kind
    name: str = ""
    """The flag, the variable, the file's path, or the model of the profile."""

    def __str__(self) -> str:
        """Return the origin briefly: `--seed`, `SMOLVILLE_SEED`, `.env`, `smolville.toml`."""
        if self.kind == "profile":
            return f"profile of {self.name}"
        return self.kind if self.kind in ("default", ".env") else self.name

    def of(self, key: str) -> str:
        """Return a phrase that names a key set at this place, for use in a sentence."""
        if self.kind in ("flag", "variable"):
            return self.name
        return f"{self.name if self.kind == '.env' else key} ({self})"


DEFAULT = Origin("default")


@dataclass(frozen=True, kw_only=True)
class ResolvedSettings:
    """The value of every setting, and where it came from."""

    values: SettingValues
    origins: Mapping[str, Origin]
    """The place where each setting was set, by its name (`steps.say.tier` for a step's). Settings
    with their default are absent."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """Settings that were given as flags, as they were typed."""
    servers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Specs of a model's further servers, by the spec of its first server."""
    surroundings: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The environment for model clients: `.env`, the process's variables, and `api_key`."""

    def origin(self, name: str) -> Origin:
        """Return where a setting's value came from."""
        return self.origins.get(name, DEFAULT)

    def of_model(self, spec: str | None) -> "ResolvedSettings":
        """Return the settings with the profile of the model that answers, None if unknown.

        With two models, that is the strong one. A profile sets only what nothing else sets.
        """
        origins = {name: at for name, at in self.origins.items() if at.kind != "profile"}
        model, profile = profile_of(self.values.profiles, spec)
        changed: dict[str, Any] = {}
        for name in PROFILED:
            if name in origins:
                continue
            changed[name] = getattr(profile, name)
            if changed[name] is None:
                changed[name] = SettingValues.model_fields[name].default
            else:
                origins[name] = Origin("profile", model)
        return replace(self, values=self.values.model_copy(update=changed), origins=origins)

    def describe_chosen(self) -> str:
        """Return what the profile sets, and why: `anchors off (profile of ollama:x)`."""
        names = [name for name in PROFILED if self.origin(name).kind == "profile"]
        told = ", ".join(f"{name} {getattr(self.values, name)}" for name in names)
        return f"{told} ({self.origin(names[0])})" if names else ""

    def models(self) -> ModelSettings:
        """Return the settings of model clients."""
        return ModelSettings(**self._shared(ModelSettings))

    def rules(self, *, is_real: bool) -> Rules:
        """Return the rules of asking; `is_real` is False if the stand-in answers."""
        own = self._shared(Rules)
        own["examples"] = int(is_real) if own["examples"] == "auto" else own["examples"]
        own["steps"] = {
            step: StepRule(**changed.model_dump())
            for step, changed in sorted(self.values.steps.items())
        }
        return Rules(**own)

    def _shared(self, kind: Any) -> dict[str, Any]:
        names = (each.name for each in fields(kind) if each.name in SETTINGS)
        return {name: getattr(self.values, name) for name in names}


def choose(said: Mapping[str, Any] | None = None, file: Path | None = None) -> ResolvedSettings:
    """Return every setting, given the flags (None: not given) and the path of a settings file.

    The profile of the model that the settings name is applied. If another one answers, call
    `of_model` with it.

    Raises SettingError for an unknown name or an invalid value.
    """
    around = _dotenv_values()
    _refuse_unknown_variables(around)
    named = str(file or "") or os.environ.get(FILE_VARIABLE) or around.get(FILE_VARIABLE)
    own_file = _settings_file(Path(named) if named else SETTINGS_FILE, is_asked=bool(named))
    line = _flags(said or {})
    layers = (line, _variables(), _dotenv(), own_file)
    merged: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for layer in layers:
        _refuse_unknown(layer)
        for way in _paths(layer.values):
            origins.setdefault(".".join(way), layer.origin(way))
    for layer in reversed(layers):
        _lay(merged, layer.values)
    try:
        values = SettingValues(**merged)
    except ValidationError as error:
        raise _wrong_value(error, layers) from None
    for tier in TIERS:
        taken = _tier(tier, layers, values.model)
        if taken is not None:
            values = values.model_copy(update={tier: taken[0]})
            origins[tier] = taken[1]
    model = values.model
    key = {} if values.api_key is None else {f"{PREFIX}API_KEY": values.api_key.get_secret_value()}
    found = ResolvedSettings(
        values=values,
        origins=origins,
        said=dict(line.values),
        servers={model[0]: model[1:]} if isinstance(model, tuple) else {},
        surroundings={**around, **os.environ, **key},
    )
    return found.of_model(values.strong)


def read_pairs(pairs: Iterable[str]) -> dict[str, Any]:
    """Return the settings in `--set NAME=VALUE`; a step's setting is named `steps.say.tier`.

    Raises SettingError for a text without `=`.
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        path, sign, value = pair.partition("=")
        if not sign:
            raise SettingError(f"--set cannot be {pair!r}: write NAME=VALUE, such as repairs=0.")
        *tables, name = path.strip().replace("-", "_").split(".")
        table = found
        for each in tables:
            table = table.setdefault(each, {})
        table[name] = value.strip()
    return found


def option_of(name: str) -> str:
    """Return how a setting is typed: `--seed`, or `--set repairs` if it has no flag of its own."""
    has_flag = name == "prompts" or (name in SETTINGS and SETTINGS[name].flag)
    return f"--{name.replace('_', '-')}" if has_flag else f"--set {name}"


@dataclass(frozen=True)
class _Layer:
    """The settings from one place, read by pydantic-settings."""

    values: Mapping[str, Any] = field(repr=False)
    kind: Kind
    path: str = ""
    """Path of a settings file."""

    def origin(self, way: Way) -> Origin:
        """Return the exact place where the setting with a path is set."""
        if self.kind == "file":
            return Origin("file", self.path)
        return Origin(
            self.kind, option_of(".".join(way)) if self.kind == "flag" else _variable(way)
        )


def _flags(given: Mapping[str, Any]) -> _Layer:
    """Return the layer of the command line; flags that are None were not given."""
    return _Layer({name: value for name, value in given.items() if value is not None}, "flag")


def _variables() -> _Layer:
    return _Layer(_read(EnvSettingsSource(SettingValues), "the environment"), "variable")


def _dotenv() -> _Layer:
    source = DotEnvSettingsSource(SettingValues, env_file=DOTENV, dotenv_filtering="only_existing")
    return _Layer(_read(source, str(DOTENV)), ".env")


def _dotenv_values() -> dict[str, str]:
    """Return what the `.env` in the working directory sets; nothing if there is no such file."""
    try:
        found = dotenv_values(stream=io.StringIO(read_text(DOTENV)), interpolate=False)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SettingError(f"{DOTENV} cannot be read: {_why(error)}.") from error
    return {name: value for name, value in found.items() if value is not None}


def _settings_file(path: Path, *, is_asked: bool) -> _Layer:
    """Return the layer of a TOML file, which may be absent unless the operator named it."""
    told = f"The settings file {str(path)!r} cannot be read"
    try:
        values = InitSettingsSource(SettingValues, tomllib.loads(read_text(path)))()
    except FileNotFoundError:
        if is_asked:
            raise SettingError(
                f"There is no settings file {str(path)!r}; `smolville settings --example` "
                "prints one to begin with."
            ) from None
        values = {}
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{told}: {error}.") from error
    except OSError as error:
        raise SettingError(f"{told}: {_why(error)}.") from error
    return _Layer(values, "file", str(path))


def _read(source: EnvSettingsSource, where: str) -> Mapping[str, Any]:
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


def _tier(
    tier: str, layers: tuple[_Layer, ...], model: str | tuple[str, ...] | None
) -> tuple[str, Origin] | None:
    """Return the model of a tier from the highest layer that names one, and where it was set.

    A model with several servers is named by the spec of its first server.

    `--model` means both tiers, even if a file names a model for each; a tier without a model uses
    the model of the other tier.
    """
    other = TIERS[1 - TIERS.index(tier)]
    for names in ((tier, "model"), (other,)):
        for layer in layers:
            for name in names:
                if layer.values.get(name) is not None:
                    # No higher layer sets `model`, so this is the value that was validated.
                    value = model if name == "model" else layer.values[name]
                    first = value[0] if isinstance(value, tuple) else value
                    return str(first), layer.origin((name,))
    return None


def _lay(under: dict[str, Any], over: Mapping[str, Any]) -> None:
    for name, value in over.items():
        if isinstance(value, Mapping):
            beneath = under.get(name)
            under[name] = beneath if isinstance(beneath, dict) else {}
            _lay(under[name], value)
        else:
            under[name] = value


def _paths(values: Mapping[str, Any], above: Way = ()) -> Iterator[Way]:
    """Yield the path of every value in nested tables, each with `above` in front."""
    for name, value in values.items():
        here = (*above, name)
        if isinstance(value, Mapping):
            yield from _paths(value, here)
        else:
            yield here


def _refuse_unknown(layer: _Layer) -> None:
    for name in layer.values:
        if name not in SETTINGS:
            _refuse(name, layer.origin((name,)), SETTINGS)
    for step, key in _names_in(layer.values.get("steps")):
        if step not in step_names():
            _refuse(step, layer.origin(("steps", step)), step_names(), "There is no step")
        if key and key not in StepValues.model_fields:
            at = layer.origin(("steps", step, key))
            _refuse(key, at, StepValues.model_fields, f"The step {step!r} has no setting")
    profiles = layer.values.get("profiles")
    if profiles and (where := layer.origin(("profiles",))).kind != "file":
        raise SettingError(
            f"{where} cannot be set: profiles stand in the settings file, as tables such as "
            '[profiles."ollama:qwen2.5:3b"].'
        )
    for name, key in _names_in(profiles):
        _refuse_unknown_profile(layer, name, key)


def _refuse_unknown_profile(layer: _Layer, name: str, key: str) -> None:
    """Raise SettingError for the profile of no model, or for an unknown setting in it."""
    try:
        read_model(name)
    except SpecError as error:
        place = layer.origin(("profiles", name))
        raise SettingError(f"{error} It names a profile ({place}).") from error
    if key and key not in PROFILED:
        at = layer.origin(("profiles", name, key))
        _refuse(key, at, PROFILED, f"The profile of {name!r} has no setting")


def _names_in(tables: object) -> Iterator[tuple[str, str]]:
    """Yield the name of each table with each key in it, and with an empty key."""
    for name, values in tables.items() if isinstance(tables, Mapping) else ():
        for key in ("", *(values if isinstance(values, Mapping) else ())):
            yield name, key


def _refuse_unknown_variables(around: Iterable[str]) -> None:
    """Raise SettingError for a variable that is meant as a setting but names no setting.

    In `.env`, that is every variable with our prefix; in the environment, which may have variables
    of other programs too, only those that look like one of the settings.
    """
    for variable in os.environ:
        name = _find_unknown_setting(variable)
        if name is not None and _near(name, SETTINGS, LIKE):
            _refuse(variable, Origin("variable", variable), SETTINGS)
    for variable in around:
        if _find_unknown_setting(variable) is not None:
            _refuse(variable, Origin(".env", variable), SETTINGS)


def _find_unknown_setting(variable: str) -> str | None:
    """Return the unknown setting that a variable names; None if it is known or not ours."""
    if not variable.upper().startswith(PREFIX):
        return None
    name = variable.upper().removeprefix(PREFIX).lower()
    is_known = name.startswith(f"steps{NESTED}") or name in (*SETTINGS, "settings", "")
    return None if is_known else name


def _refuse(
    name: str, where: Origin, known: Iterable[str], told: str = "There is no setting"
) -> NoReturn:
    stem = name.upper().removeprefix(PREFIX).partition(NESTED)[0].lower()
    is_variable = name.upper().startswith(PREFIX)
    near = _near(stem, known, 0.6) or ([] if known is SETTINGS else sorted(known))
    spelled = [PREFIX + each.upper() if is_variable else each for each in near]
    hint = (
        f"did you mean {' or '.join(spelled)}?"
        if spelled
        else "`smolville settings` lists those there are."
    )
    place = "" if where.kind == "variable" else f" ({where})"
    raise SettingError(f"{told} {name!r}{place}: {hint}")


def _near(name: str, known: Iterable[str], cutoff: float) -> list[str]:
    return difflib.get_close_matches(name.lower(), list(known), n=3, cutoff=cutoff)


def _wrong_value(error: ValidationError, layers: Iterable[_Layer]) -> SettingError:
    first = error.errors(include_url=False)[0]
    # What follows in `loc` leads into the setting's value, a union or a list.
    depth = 3 if first["loc"][0] in ("steps", "profiles") else 1
    way = tuple(str(part) for part in first["loc"][:depth])
    layer = next(each for each in layers if _value_at(each.values, way) is not None)
    origin, key = layer.origin(way), ".".join(way)
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, NotASpec):
        there = "" if origin.kind == "flag" else f" It stands in {origin.of(key)}."
        return SettingError(f"{cause}{there}")
    if way[0] == "profiles" and way[1:]:
        key = " in ".join([*way[2:], f"the profile of {way[1]}"])
    value = _value_at(layer.values, way)
    plain = hide(str(value).lower() if isinstance(value, bool) else repr(value))
    shown = "what it is" if key == SECRET else plain
    return SettingError(f"{origin.of(key)} cannot be {shown}: write {_allowed(way)}.")


def _allowed(way: Way) -> str:
    is_step = way[0] == "steps"
    if len(way) == 2:
        return f"a table of {', '.join(StepValues.model_fields if is_step else PROFILED)}"
    told = setting_of(way[2], StepValues) if is_step and way[2:] else SETTINGS[way[-1]]
    return told.allowed


def _value_at(values: Mapping[str, Any], way: Way) -> object:
    found: object = values
    for name in way:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found
