"""Error messages for settings that do not exist, or have invalid values."""

import difflib
import os
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from smolville.agents.errors import SettingError
from smolville.cli.settings.default_files import DOTENV
from smolville.cli.settings.layers import Layer, Origin, Way, dotenv_lines
from smolville.cli.settings.values import (
    NESTED,
    PREFIX,
    PROFILED,
    SECRET,
    SETTINGS,
    NotASpec,
    StepValues,
    read_model,
    setting_of,
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
        if name not in SETTINGS:
            _refuse(name, layer.origin((name,)), SETTINGS)
    profiles, steps = layer.values.get("profiles"), layer.values.get("steps")
    if isinstance(profiles, Mapping) and profiles:
        _refuse_unknown_profiles(layer, profiles)
    for step, changed in steps.items() if isinstance(steps, Mapping) else ():
        if step not in step_names():
            _refuse(step, layer.origin(("steps", step)), step_names(), "There is no step")
        for name in changed if isinstance(changed, Mapping) else ():
            if name not in StepValues.model_fields:
                where = layer.origin(("steps", step, name))
                _refuse(name, where, StepValues.model_fields, f"The step {step!r} has no setting")


def _refuse_unknown_profiles(layer: Layer, profiles: Mapping[str, Any]) -> None:
    """Raise SettingError for a misplaced or misnamed profile, or for an unknown setting in it."""
    where = layer.origin(("profiles",))
    if where.kind != "file":
        raise SettingError(
            f"{where} cannot be set: profiles stand in the settings file, as tables such as "
            '[profiles."ollama:qwen2.5:3b"].'
        )
    known: dict[Spec, str] = {}
    for name, values in profiles.items():
        place = layer.origin(("profiles", name))
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
                at = layer.origin(("profiles", name, key))
                _refuse(key, at, PROFILED, f"The profile of {name!r} has no setting")


def refuse_unknown_variables() -> None:
    """Raise SettingError for a variable that is meant as a setting but names no setting.

    In `.env`, that is every variable with our prefix; in the environment, which may have variables
    of other programs too, only those that look like one of the settings.
    """
    for variable in os.environ:
        name = _find_unknown_setting(variable)
        if name is not None and _near(name, SETTINGS, LIKE):
            _refuse(variable, Origin("variable", variable), SETTINGS)
    for line in dotenv_lines():
        if line.key and _find_unknown_setting(line.key) is not None:
            _refuse(line.key, Origin(".env", line.key, line.original.line), SETTINGS)
        elif line.error and PREFIX in line.original.string:
            raise SettingError(
                f"Line {line.original.line} of {DOTENV} cannot be read: write NAME=value."
            )


def wrong_value(error: ValidationError, layers: Iterable[Layer]) -> SettingError:
    """Return an error on the first invalid value: where it is set, and what is allowed."""
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
    """Return the allowed values of a setting, of a step's setting, or of a table of settings."""
    is_step = way[0] == "steps"
    if len(way) == 2:
        return f"a table of {', '.join(StepValues.model_fields if is_step else PROFILED)}"
    told = setting_of(way[2], StepValues) if is_step and way[2:] else SETTINGS[way[-1]]
    return told.allowed


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
    is_known = name.startswith(f"steps{NESTED}") or name in SETTINGS or name in ("settings", "")
    return None if is_known else name


def _value_at(values: Mapping[str, Any], way: Way) -> object:
    """Return the value at a path of a layer; None if there is none."""
    found: object = values
    for name in way:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found
