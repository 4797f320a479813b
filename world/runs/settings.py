"""A run's rules and model settings as its `run.json` keeps them: flat names, plain values."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from agents.errors import RunError
from graphs.loop.rules import Rules
from models.request import Settings

Setting = str | int | float | bool | tuple[str, ...] | None

_STEPS = "steps."
"""Begins the name of what is different for one step: `steps.say.tier`."""
Kind = TypeVar("Kind", Rules, Settings)
_RULES, _MODELS = TypeAdapter(Rules), TypeAdapter(Settings)


def written(rules: Rules, models: Settings) -> dict[str, Setting]:
    """Return both as flat names to plain values; what a step does not change is left out."""
    flat: dict[str, Setting] = {
        item.name: getattr(rules, item.name) for item in fields(rules) if item.name != "steps"
    }
    for step, rule in sorted(rules.steps.items()):
        for name, value in asdict(rule).items():
            if value is not None:
                flat[f"{_STEPS}{step}.{name}"] = value
    return flat | asdict(models)


def rules_in(settings: Mapping[str, Setting]) -> Rules:
    """Return the rules that a run was begun with; what it does not name is as usual."""
    steps: dict[str, dict[str, Any]] = {}
    for path, value in settings.items():
        if path.startswith(_STEPS):
            step, _, name = path.removeprefix(_STEPS).rpartition(".")
            steps.setdefault(step, {})[name] = value
    return _read(_RULES, _known(settings, Rules) | {"steps": steps})


def models_in(settings: Mapping[str, Setting]) -> Settings:
    """Return the model settings that a run was begun with; what it does not name is as usual."""
    return _read(_MODELS, _known(settings, Settings))


def _read(kind: TypeAdapter[Kind], values: dict[str, Any]) -> Kind:
    """Return settings as they are used; RunError names one that a run.json has wrong."""
    try:
        return kind.validate_python(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise RunError(
            f"run.json is damaged: its setting {name} cannot be {first['input']!r:.60}: "
            f"{first['msg']}; put the file back as it was"
        ) from error


def _known(settings: Mapping[str, Setting], kind: type) -> dict[str, Any]:
    """Return the settings that `kind` has a field for."""
    names = {item.name for item in fields(kind)}
    return {name: value for name, value in settings.items() if name in names and name != "steps"}
