"""Choose every setting: by flag, variable, `.env`, settings file, or model's profile."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from smolville.agents.errors import SettingError
from smolville.cli.settings.complaints import refuse_unknown, refuse_unknown_variables, wrong_value
from smolville.cli.settings.default_files import FILE_VARIABLE, SETTINGS_FILE
from smolville.cli.settings.layers import (
    DEFAULT,
    Layer,
    Origin,
    Way,
    dotenv,
    dotenv_lines,
    flags,
    settings_file,
    variables,
)
from smolville.cli.settings.values import (
    BY_TIER,
    PREFIX,
    PROFILED,
    SettingValues,
    profile_of,
    read_list,
)
from smolville.graphs.loop.rules import Rules, StepRule
from smolville.models.request import ModelSettings

TIERS = ("fast", "strong")


@dataclass(frozen=True, kw_only=True)
class ResolvedSettings:
    """The value of every setting, and where it came from."""

    values: SettingValues
    origins: Mapping[str, Origin]
    """The place where each setting was set, by its name (`steps.say.tier` for a step's). Settings
    with their default are absent."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """Settings that were given as flags, as they were typed."""
    models_named: frozenset[str] = frozenset()
    """Every model named anywhere in the settings, even if another model takes precedence."""
    embedders_named: frozenset[str] = frozenset()
    servers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Specs of a model's further servers, by the spec of its first server."""
    of_fast: Mapping[str, tuple[Any, Origin]] = field(default_factory=dict)
    """Value and origin of each setting that the profile of the fast tier's model changes for that
    model."""
    surroundings: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The environment for model clients: `.env`, the process's variables, and `api_key`."""

    def origin(self, name: str) -> Origin:
        """Return where a setting's value came from."""
        return self.origins.get(name, DEFAULT)

    def of_models(self, fast: str | None, strong: str | None) -> "ResolvedSettings":
        """Return the settings after applying the profiles of the models that answer.

        `fast` and `strong` are the models' specs, None if unknown. A profile sets only what nothing
        else sets. `anchors` is the same for both tiers: it comes from the profile of the
        model that plans the day. All others come, for each tier, from its model's profile.
        """
        plan_day = self.values.steps.get("plan_day")
        planner = fast if plan_day is not None and plan_day.tier == "fast" else strong
        origins = {name: at for name, at in self.origins.items() if at.kind != "profile"}
        changed: dict[str, Any] = {}
        of_fast: dict[str, tuple[Any, Origin]] = {}
        for name in PROFILED:
            if name in origins:
                continue
            changed[name], origin = self._profiled(name, strong if name in BY_TIER else planner)
            if origin != DEFAULT:
                origins[name] = origin
            other = self._profiled(name, fast)
            if name in BY_TIER and other[0] != changed[name]:
                of_fast[name] = other
        values = self.values.model_copy(update=changed)
        return replace(self, values=values, origins=origins, of_fast=of_fast)

    def describe_chosen(self) -> str:
        """Return what profiles set, and why: `anchors off (profile of ollama:x)`."""
        found: dict[Origin, list[str]] = {}
        for name in PROFILED:
            value = (getattr(self.values, name), self.origin(name))
            for told, origin in (value, self.of_fast.get(name, (None, DEFAULT))):
                if origin.kind == "profile":
                    found.setdefault(origin, []).append(f"{name} {told}")
        return "; ".join(f"{', '.join(told)} ({origin})" for origin, told in found.items())

    def _profiled(self, name: str, spec: str | None) -> tuple[Any, Origin]:
        """Return a setting's value for a model: that of the model's profile, else the default."""
        model, profile = profile_of(self.values.profiles, spec)
        value = getattr(profile, name)
        if value is None:
            return SettingValues.model_fields[name].default, DEFAULT
        return value, Origin("profile", model)

    def models(self) -> ModelSettings:
        """Return the settings of model clients."""
        return ModelSettings(
            **{
                each.name: getattr(self.values, each.name)
                for each in fields(ModelSettings)
                if each.name in SettingValues.model_fields
            },
            fast_constrain=self._of_fast("constrain"),
        )

    def rules(self, *, is_real: bool) -> Rules:
        """Return the rules of asking; `is_real` is False if the stand-in answers."""
        own = {
            each.name: getattr(self.values, each.name)
            for each in fields(Rules)
            if each.name in SettingValues.model_fields
        }
        usual = int(is_real)
        others = self._of_fast("examples")
        own["examples"] = usual if own["examples"] == "auto" else own["examples"]
        own["steps"] = {
            step: StepRule(**changed.model_dump())
            for step, changed in sorted(self.values.steps.items())
        }
        return Rules(
            **own,
            fast_repairs=self._of_fast("repairs"),
            fast_examples=usual if others == "auto" else others,
        )

    def _of_fast(self, name: str) -> Any:
        """Return a setting's value for the fast tier, or None if both tiers have the same value."""
        return self.of_fast[name][0] if name in self.of_fast else None


def choose(said: Mapping[str, Any] | None = None, file: Path | None = None) -> ResolvedSettings:
    """Return every setting, given the flags (None: not given) and the path of a settings file.

    The profiles of the models that the settings name are applied. If other models answer, call
    `of_models` with them.

    Raises SettingError for an unknown name or an invalid value.
    """
    refuse_unknown_variables()
    around = {
        each.key: each.value for each in dotenv_lines() if each.key and each.value is not None
    }
    named = str(file or "") or os.environ.get(FILE_VARIABLE) or around.get(FILE_VARIABLE)
    line = flags(said or {})
    own_file = settings_file(Path(named) if named else SETTINGS_FILE, is_asked=bool(named))
    layers = (line, variables(), dotenv(), own_file)
    merged: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for layer in layers:
        refuse_unknown(layer)
        for way in _paths(layer.values):
            origins.setdefault(".".join(way), layer.origin(way))
    for layer in reversed(layers):
        _lay(merged, layer.values)
    try:
        values = SettingValues(**merged)
    except ValidationError as error:
        raise wrong_value(error, layers) from None
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
        models_named=_named(layers, ("model", *TIERS)),
        embedders_named=_named(layers, ("embedder",)),
        servers={model[0]: model[1:]} if isinstance(model, tuple) else {},
        surroundings={**around, **os.environ, **key},
    )
    return found.of_models(values.fast, values.strong)


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


def _tier(
    tier: str, layers: tuple[Layer, ...], model: str | tuple[str, ...] | None
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


def _named(layers: tuple[Layer, ...], names: tuple[str, ...]) -> frozenset[str]:
    """Return all texts that any layer sets as a value of these settings."""
    values = (read_list(layer.values.get(name)) for layer in layers for name in names)
    lists = (value for value in values if isinstance(value, list | tuple))
    return frozenset(text for texts in lists for text in texts if isinstance(text, str))


def _lay(under: dict[str, Any], over: Mapping[str, Any]) -> None:
    """Merge the values `over` into `under`, replacing values that are in both."""
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
