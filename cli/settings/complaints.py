"""Error messages for settings that do not exist, or have invalid values."""

import difflib
import os
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from smolville.agents.errors import SettingError
from smolville.cli.settings.default_files import DOTENV
from smolville.cli.settings.keys import NESTED, PREFIX, SettingValues, find_setting_help
from smolville.cli.settings.layers import Layer, Origin, Way, dotenv_lines
from smolville.cli.settings.readings import (
    PROFILED,
    PROFILES,
    NotASpec,
    ProfileValues,
    StepValues,
    is_secret,
    read_model,
)
from smolville.models.errors import SpecError
from smolville.models.keys import hide
from smolville.models.spec import Spec
from smolville.prompts.folder import step_names

NO_SETTING = "There is no setting"
LIKE = 0.8
"""Similarity (difflib ratio) to a setting from which an unknown variable counts as a
misspelling."""


def refuse_unknown(layer: Layer) -> None:
    """Raise SettingError for the first unknown setting, step, or setting of a step in a layer."""
    for name in layer.values:
        if name not in SettingValues.model_fields:
            _refuse(name, layer.origin((name,)), SettingValues.model_fields)
    _refuse_unknown_profiles(layer)
    steps = layer.values.get("steps") or {}
    if not isinstance(steps, Mapping):
        return
    known = step_names() if steps else ()
    for step, changed in steps.items():
        if step not in known:
            _refuse(step, layer.origin(("steps", step)), known, "There is no step")
        for name in changed if isinstance(changed, Mapping) else ():
            if name not in StepValues.model_fields:
                where = layer.origin(("steps", step, name))
                _refuse(name, where, StepValues.model_fields, f"The step {step!r} has no setting")


def _refuse_unknown_profiles(layer: Layer) -> None:
    """Raise SettingError for a misplaced or misnamed profile, or for an unknown setting in it."""
    profiles = layer.values.get(PROFILES)
    if not profiles or not isinstance(profiles, Mapping):
        return
    where = layer.origin((PROFILES,))
    if where.kind != "file":
        raise SettingError(
            f"{where} cannot be set: profiles stand in the settings file, as tables such as "
            '[profiles."ollama:qwen2.5:3b"].'
        )
    known: dict[Spec, str] = {}
    for name, values in profiles.items():
        place = layer.origin((PROFILES, name))
        try:
            model = read_model(name)
        except SpecError as error:
            raise SettingError(f"{error} It names a profile ({place}).") from error
        if model in known:
            raise SettingError(
                f"{known[model]!r} and {name!r} are profiles of the same model ({place}): join "
                "them."
            )
        known[model] = name
        for key in values if isinstance(values, Mapping) else ():
            if key not in PROFILED:
                at = layer.origin((PROFILES, name, key))
                _refuse(key, at, PROFILED, f"The profile of {name!r} has no setting")


def refuse_unknown_variables() -> None:
    """Raise SettingError for a variable that is meant as a setting but names no setting.

    In `.env`, that is every variable with our prefix; in the environment, which may have variables
    of other programs too, only those that look like one of the settings.
    """
    for variable in os.environ:
        name = _find_unknown_setting(variable)
        if name is not None and _near(name, SettingValues.model_fields, LIKE):
            _refuse(variable, Origin("variable", variable), SettingValues.model_fields)
    for line in dotenv_lines():
        name = _find_unknown_setting(line.key or "")
        if name is not None:
            where = Origin(".env", line.key or "", line.original.line)
            _refuse(line.key or "", where, SettingValues.model_fields)
        elif line.error and PREFIX in line.original.string:
            raise SettingError(
                f"Line {line.original.line} of {DOTENV} cannot be read: write NAME=value."
            )


def wrong_value(error: ValidationError, layers: Iterable[Layer]) -> SettingError:
    """Return an error on the first invalid value: where it is set, and what is allowed."""
    first = error.errors(include_url=False)[0]
    way = _find_setting_path(first["loc"])
    layer = next(each for each in layers if _read_layer_value(each.values, way) is not _ABSENT)
    origin, key = layer.origin(way), ".".join(way)
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, NotASpec):
        return SettingError(f"{cause}{'' if origin.kind == 'flag' else _set_in(origin, key)}")
    key = _name_setting(way)
    value = _read_layer_value(layer.values, way)
    plain = hide(str(value).lower() if isinstance(value, bool) else repr(value))
    shown = "" if is_secret(key) else f" {plain}"
    allowed = _find_allowed_values(way)
    return SettingError(f"{origin.of(key)} cannot be{shown or ' what it is'}: write {allowed}.")


def _refuse(name: str, where: Origin, known: Iterable[str], told: str = NO_SETTING) -> None:
    """Raise SettingError for an unknown name, with the nearest known ones."""
    stem = name.upper().removeprefix(PREFIX).partition(NESTED)[0].lower()
    is_variable = name.upper().startswith(PREFIX)
    near = _near(stem, known, 0.6) or ([] if told == NO_SETTING else sorted(known))
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


def _find_unknown_setting(variable: str) -> str | None:
    """Return the unknown setting that a variable names; None if it is known or not ours."""
    if not variable.upper().startswith(PREFIX):
        return None
    name = variable.upper().removeprefix(PREFIX).lower()
    is_step = name.startswith(f"steps{NESTED}")
    return (
        None if is_step or name in SettingValues.model_fields or name in ("settings", "") else name
    )


_ABSENT = object()


def _read_layer_value(values: Mapping[str, Any], way: Way) -> object:
    """Return the value at a path of a layer, or `_ABSENT`."""
    found: object = values
    for name in way:
        if not isinstance(found, Mapping) or name not in found:
            return _ABSENT
        found = found[name]
    return found


def _find_setting_path(loc: tuple[int | str, ...]) -> Way:
    """Return the path of the setting that an error is about.

    pydantic's `loc` may go on into the setting's value (a union or a list); that end is left out.
    """
    return tuple(str(part) for part in (loc[:3] if loc[0] in ("steps", PROFILES) else loc[:1]))


def _find_allowed_values(way: Way) -> str:
    """Return the allowed values of a setting, of a step's setting, or of a table of settings."""
    of = ProfileValues if way[0] == PROFILES else StepValues
    if len(way) == 2:
        return f"a table of {', '.join(of.model_fields)}"
    is_of_step = len(way) == 3 and of is StepValues
    return find_setting_help(way[-1], StepValues if is_of_step else SettingValues).allowed


def _name_setting(way: Way) -> str:
    """Return what a setting is called in a message: `repairs in the profile of ollama:mistral`."""
    if way[0] != PROFILES or len(way) == 1:
        return ".".join(way)
    return " in ".join([*way[2:], f"the profile of {way[1]}"])


def _set_in(origin: Origin, key: str) -> str:
    return f" It stands in {origin.of(key)}."
