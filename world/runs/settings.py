"""A run's rules and model settings as its `run.json` keeps them: flat names, plain values."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from graphs.loop.rules import Rules, StepRule
from models.settings import Settings

Setting = str | int | float | bool | tuple[str, ...] | None

_STEPS = "steps."
"""Begins the name of what is different for one step: `steps.say.tier`."""


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
    found: dict[str, Any] = _known(settings, Rules)
    return Rules(**found, steps={step: StepRule(**values) for step, values in steps.items()})


def models_in(settings: Mapping[str, Setting]) -> Settings:
    """Return the model settings that a run was begun with; what it does not name is as usual."""
    found: dict[str, Any] = _known(settings, Settings)
    return Settings(**found)


def _known(settings: Mapping[str, Setting], kind: type) -> dict[str, Any]:
    """Return the settings that `kind` has a field for."""
    names = {item.name for item in fields(kind)}
    return {name: value for name, value in settings.items() if name in names and name != "steps"}
