"""Choose every setting: by flag, variable, `.env`, settings file, model's profile, model's size."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from smolville.cli.settings.complaints import refuse_unknown, refuse_unknown_variables, wrong_value
from smolville.cli.settings.default_files import FILE_VARIABLE, SETTINGS_FILE
from smolville.cli.settings.keys import PREFIX, SettingValues
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
from smolville.cli.settings.readings import BY_TIER, PROFILED, StepValues, profiled_value, read_stop
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
    """Settings that were given as flags."""
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
        origins = {name: at for name, at in self.origins.items() if at.kind != "profile"}
        profiles = self.values.profiles
        changed: dict[str, Any] = {}
        of_fast: dict[str, tuple[Any, Origin]] = {}
        for name in PROFILED:
            if name in origins:
                continue
            is_fast = name not in BY_TIER and self.plans_fast
            changed[name], origin = self._profiled(name, fast if is_fast else strong)
            if origin != DEFAULT:
                origins[name] = origin
            other = self._profiled(name, fast)
            if name in BY_TIER and other[0] != changed[name]:
                of_fast[name] = other
        values = self.values.model_copy(update=changed) if profiles else self.values
        return replace(self, values=values, origins=origins, of_fast=of_fast)

    @property
    def plans_fast(self) -> bool:
        """Whether the model of the fast tier plans the day."""
        steps = self.values.steps
        return "plan_day" in steps and steps["plan_day"].tier == "fast"

    def describe_chosen(self) -> str:
        """Return what profiles set, and why: `anchors off (profile of ollama:x)`."""
        chosen = self.values.model_dump(include=set(PROFILED))
        found: dict[Origin, list[str]] = {}
        for name in PROFILED:
            if self.origin(name).kind == "profile":
                found.setdefault(self.origin(name), []).append(f"{name} {chosen[name]}")
        for name, (value, origin) in self.of_fast.items():
            if origin.kind == "profile":
                found.setdefault(origin, []).append(f"{name} {value}")
        return "; ".join(f"{', '.join(told)} ({origin})" for origin, told in found.items())

    def _profiled(self, name: str, spec: str | None) -> tuple[Any, Origin]:
        """Return a setting's value for a model: that of the model's profile, else the default."""
        value, profile = profiled_value(self.values.profiles, spec, name)
        if value is None:
            return SettingValues.model_fields[name].default, DEFAULT
        return value, Origin("profile", profile)

    def models(self) -> ModelSettings:
        """Return the settings of model clients."""
        chosen = self.values
        return ModelSettings(
            num_ctx=chosen.num_ctx,
            timeout=chosen.timeout,
            keep_alive=chosen.keep_alive,
            top_p=chosen.top_p,
            min_p=chosen.min_p,
            stop=chosen.stop,
            constrain=chosen.constrain,
            fast_constrain=self._of_fast("constrain"),
            template_style=chosen.template_style,
            thinking=chosen.thinking,
            thinking_tokens=chosen.thinking_tokens,
        )

    def rules(self, *, is_real: bool) -> Rules:
        """Return the rules of asking; `is_real` is False if the stand-in answers."""
        chosen, others = self.values, self._of_fast("examples")

        def count(examples: int | str) -> int:
            return int(is_real) if isinstance(examples, str) else examples

        return Rules(
            repairs=chosen.repairs,
            strict=chosen.strict,
            strict_sense=chosen.strict_sense,
            history=chosen.history,
            fast_repairs=self._of_fast("repairs"),
            examples=count(chosen.examples),
            fast_examples=None if others is None else count(others),
            anchors=chosen.anchors,
            without=chosen.without,
            routine_similarity=chosen.routine_similarity,
            steps={step: _rule(changed) for step, changed in sorted(chosen.steps.items())},
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
    line = flags(said or {})
    layers = (line, variables(), dotenv(), _file(file))
    for layer in layers:
        refuse_unknown(layer)
    try:
        values = SettingValues(**_merge_layers(layers))
    except ValidationError as error:
        raise wrong_value(error, layers) from None
    origins = _origins(layers)
    for tier in TIERS:
        taken = _tier(tier, layers, values.model)
        if taken is not None:
            values = values.model_copy(update={tier: taken[0]})
            origins[tier] = taken[1]
    found = ResolvedSettings(
        values=values,
        origins=origins,
        said=dict(line.values),
        models_named=_collect_values(layers, ("model", *TIERS)),
        servers=_servers(values.model),
        embedders_named=_collect_values(layers, ("embedder",)),
        surroundings=_environment(values),
    )
    return found.of_models(values.fast, values.strong)


def _file(file: Path | None) -> Layer:
    """Return the layer of the settings file that is named, else of the default file."""
    named = str(file or "") or os.environ.get(FILE_VARIABLE) or _dotenv().get(FILE_VARIABLE)
    return settings_file(Path(named) if named else SETTINGS_FILE, is_asked=bool(named))


def _dotenv() -> dict[str, str]:
    """Return everything that `.env` sets."""
    return {each.key: each.value for each in dotenv_lines() if each.key and each.value is not None}


def _environment(values: SettingValues) -> dict[str, str]:
    """Return the environment for models; a server's address and key may be in `.env` too."""
    ours = {}
    if values.api_key is not None:
        ours[f"{PREFIX}API_KEY"] = values.api_key.get_secret_value()
    return {**_dotenv(), **os.environ, **ours}


def _servers(model: str | tuple[str, ...] | None) -> dict[str, tuple[str, ...]]:
    """Return the further servers in the setting `model`, by the spec of the first server."""
    return {model[0]: model[1:]} if isinstance(model, tuple) else {}


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


def _collect_values(layers: tuple[Layer, ...], names: tuple[str, ...]) -> frozenset[str]:
    """Return all texts that any layer sets as a value of these settings."""
    values = (read_stop(layer.values.get(name)) for layer in layers for name in names)
    lists = (value for value in values if isinstance(value, list | tuple))
    return frozenset(text for texts in lists for text in texts if isinstance(text, str))


def _merge_layers(layers: tuple[Layer, ...]) -> dict[str, Any]:
    """Return all layers merged; higher layers win. A step's settings are merged one by one."""
    merged: dict[str, Any] = {}
    for layer in reversed(layers):
        _lay(merged, layer.values)
    return merged


def _lay(under: dict[str, Any], over: Mapping[str, Any]) -> None:
    """Merge the values `over` into `under`, replacing values that are in both."""
    for name, value in over.items():
        beneath = under.get(name)
        if isinstance(value, Mapping) and isinstance(beneath, dict):
            _lay(beneath, value)
        elif isinstance(value, Mapping):
            under[name] = {}
            _lay(under[name], value)
        else:
            under[name] = value


def _origins(layers: tuple[Layer, ...]) -> dict[str, Origin]:
    """Return the origin of every setting that is set in any layer."""
    found: dict[str, Origin] = {}
    for layer in layers:
        for way in _list_paths(layer.values):
            found.setdefault(".".join(way), layer.origin(way))
    return found


def _list_paths(values: Mapping[str, Any], above: Way = ()) -> list[Way]:
    """Return the path of every value in nested tables, each with `above` in front."""
    ways: list[Way] = []
    for name, value in values.items():
        here = (*above, name)
        ways += _list_paths(value, here) if isinstance(value, Mapping) else [here]
    return ways


def _rule(changed: StepValues) -> StepRule:
    return StepRule(
        tier=changed.tier, temperature=changed.temperature, max_tokens=changed.max_tokens
    )
