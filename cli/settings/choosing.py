"""Choose every setting: a flag before a variable before `.env` before the settings file."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cli.settings.complaints import refuse_unknown, refuse_unknown_variables, wrong_value
from cli.settings.keys import PREFIX, Values
from cli.settings.layers import (
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
from cli.settings.noticing import FILE_VARIABLE, SETTINGS_FILE
from cli.settings.step_values import StepValues
from graphs.loop.rules import Rules, StepRule
from models.request import Settings

TIERS = ("fast", "strong")


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Every setting's value, and where it came from."""

    values: Values
    origins: Mapping[str, Origin]
    """Setting to where it was set (`steps.say.tier` for a step's); absent for a default."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """What flags said."""
    models_named: frozenset[str] = frozenset()
    """Every model that is named anywhere in the settings, also where another one comes first."""
    embedders_named: frozenset[str] = frozenset()
    surroundings: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The environment as models read it, with `.env` beneath and the key of `api_key`."""

    def origin(self, name: str) -> Origin:
        """Return where a setting's value came from."""
        return self.origins.get(name, DEFAULT)

    def models(self) -> Settings:
        """Return how models are used."""
        chosen = self.values
        return Settings(
            num_ctx=chosen.num_ctx,
            timeout=chosen.timeout,
            keep_alive=chosen.keep_alive,
            top_p=chosen.top_p,
            min_p=chosen.min_p,
            stop=chosen.stop,
            constrain=chosen.constrain,
            template_style=chosen.template_style,
            thinking=chosen.thinking,
            thinking_tokens=chosen.thinking_tokens,
        )

    def rules(self, *, is_real: bool) -> Rules:
        """Return what every question obeys; `is_real` is False where the stand-in answers."""
        chosen = self.values
        return Rules(
            repairs=chosen.repairs,
            strict=chosen.strict,
            strict_sense=chosen.strict_sense,
            history=chosen.history,
            examples=int(is_real) if chosen.examples == "auto" else chosen.examples,
            examples_from_run=chosen.examples_from_run,
            anchors=chosen.anchors,
            steps={step: _rule(changed) for step, changed in sorted(chosen.steps.items())},
        )


def choose(said: Mapping[str, Any] | None = None, file: Path | None = None) -> Chosen:
    """Return every setting, with these flags (None: not said) and this settings file.

    Raises SettingError for a name that does not exist and a value that cannot be.
    """
    refuse_unknown_variables()
    line = flags(said or {})
    layers = (line, variables(), dotenv(), _file(file))
    for layer in layers:
        refuse_unknown(layer)
    try:
        values = Values(**_merged(layers))
    except ValidationError as error:
        raise wrong_value(error, layers) from None
    origins = _origins(layers)
    for tier in TIERS:
        taken = _tier(tier, layers)
        if taken is not None:
            values = values.model_copy(update={tier: taken[0]})
            origins[tier] = taken[1]
    return Chosen(
        values=values,
        origins=origins,
        said=dict(line.values),
        models_named=_named(layers, ("model", *TIERS)),
        embedders_named=_named(layers, ("embedder",)),
        surroundings=_environment(values),
    )


def _file(file: Path | None) -> Layer:
    """Return the layer of the settings file: the one that was named, else the usual one."""
    named = str(file or "") or os.environ.get(FILE_VARIABLE) or _dotenv().get(FILE_VARIABLE)
    return settings_file(Path(named) if named else SETTINGS_FILE, is_asked=bool(named))


def _dotenv() -> dict[str, str]:
    """Return everything that `.env` sets."""
    return {each.key: each.value for each in dotenv_lines() if each.key and each.value is not None}


def _environment(values: Values) -> dict[str, str]:
    """Return the environment for models: a server's address and key may stand in `.env` too."""
    ours = {}
    if values.api_key is not None:
        ours[f"{PREFIX}API_KEY"] = values.api_key.get_secret_value()
    return {**_dotenv(), **os.environ, **ours}


def _tier(tier: str, layers: tuple[Layer, ...]) -> tuple[str, Origin] | None:
    """Return the model of a tier, and where it was set: the uppermost layer that names one does.

    `--model` means both tiers, also where a file names one for each; a tier that nobody names has
    the other's model.
    """
    other = TIERS[1 - TIERS.index(tier)]
    for names in ((tier, "model"), (other,)):
        for layer in layers:
            for name in names:
                if layer.values.get(name) is not None:
                    return layer.values[name], layer.origin((name,))
    return None


def _named(layers: tuple[Layer, ...], names: tuple[str, ...]) -> frozenset[str]:
    """Return what some settings are set to, in any layer."""
    values = (layer.values.get(name) for layer in layers for name in names)
    return frozenset(value for value in values if isinstance(value, str))


def _merged(layers: tuple[Layer, ...]) -> dict[str, Any]:
    """Return all layers as one, the uppermost winning; a step's settings are merged one by one."""
    merged: dict[str, Any] = {}
    for layer in reversed(layers):
        _lay(merged, layer.values)
    return merged


def _lay(under: dict[str, Any], over: Mapping[str, Any]) -> None:
    """Lay values over others."""
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
    """Return where every setting that is set anywhere was set."""
    found: dict[str, Origin] = {}
    for layer in layers:
        for way in _ways(layer.values):
            found.setdefault(".".join(way), layer.origin(way))
    return found


def _ways(values: Mapping[str, Any], above: Way = ()) -> list[Way]:
    """Return the place of every value."""
    ways: list[Way] = []
    for name, value in values.items():
        here = (*above, name)
        ways += _ways(value, here) if isinstance(value, Mapping) else [here]
    return ways


def _rule(changed: StepValues) -> StepRule:
    return StepRule(
        tier=changed.tier, temperature=changed.temperature, max_tokens=changed.max_tokens
    )
