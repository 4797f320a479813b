"""Help texts of settings, parsers of their specs and lists, and the settings of a step or a model.

A profile holds the settings of one model. Profiles are tables of the settings file,
`[profiles."ollama:qwen2.5:3b"]`; `smolville doctor --write` writes them. A setting that is set
anywhere else takes precedence over a profile.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_settings import NoDecode

from smolville.graphs.loop.rules import EVERY_KIND, Anchors
from smolville.models.embedding.embedder import parse_embedder
from smolville.models.errors import SpecError
from smolville.models.keys import is_host
from smolville.models.request import Constrain
from smolville.models.spec import Spec, parse_spec

_ALSO_CALLED = {"habits": "routines"}
"""Other names by which people know components, and the components' own names."""

PROFILES = "profiles"
"""Name of the table that holds the profiles."""


class NotASpec(ValueError):
    """Raised for a model or embedder spec that cannot be parsed; says how to write one."""


class SettingHelp(NamedTuple):
    """Help text of a setting."""

    about: str
    allowed: str
    """The allowed values, phrased to follow "write"."""
    example: str = ""
    """An example value in TOML syntax, for a setting without a default."""


def read_spec(value: str) -> str:
    """Return a model's spec unchanged; raise NotASpec when it is invalid."""
    try:
        parse_spec(value)
    except SpecError as error:
        raise NotASpec(str(error)) from error
    return value


def read_models(value: Any) -> Any:
    """Return a model's spec, or the specs of its servers; raise NotASpec for an invalid spec.

    A variable with several specs holds a JSON list.
    """
    found = read_stop(value)
    if not isinstance(found, list | tuple):
        return value
    if not found or not all(isinstance(each, str) for each in found):
        raise ValueError("not a list of models")
    specs = tuple(read_spec(each) for each in found)
    return specs if specs[1:] else specs[0]


def read_embedder(value: str) -> str:
    """Return an embedder's spec unchanged; raise NotASpec when it is invalid."""
    try:
        parse_embedder(value)
    except SpecError as error:
        raise NotASpec(str(error)) from error
    return value


def read_stop(value: Any) -> Any:
    """Return the texts in a variable: a JSON list, or a single text."""
    return _read_list(value, lambda text: [text])


def read_hosts(value: Any) -> Any:
    """Return the servers in a variable: a JSON list, or texts separated by commas."""
    found = _read_list(value, lambda text: [part.strip() for part in text.split(",")])
    if isinstance(found, list) and not all(isinstance(one, str) and is_host(one) for one in found):
        raise ValueError("not a list of servers")
    return found


def read_kinds(value: Any) -> Any:
    """Return the kinds of oddity in a variable or a flag: a JSON list, or a list with commas."""
    found = _read_list(value, lambda text: [part.strip() for part in text.split(",")])
    if found:
        from smolville.parsers.problem import SENSE_KINDS

        if not isinstance(found, list | tuple) or not {*found} <= {EVERY_KIND, *SENSE_KINDS}:
            raise ValueError("not a list of kinds")
    return tuple(found) if isinstance(found, list) else found


def read_components(value: Any) -> Any:
    """Return the components to leave out, in their usual order, from JSON or a list with commas."""
    found = _read_list(value, lambda text: [part.strip() for part in text.split(",")])
    if found:
        from smolville.graphs.components import component_names

        names = component_names()
        if isinstance(found, list | tuple):
            found = [_ALSO_CALLED.get(str(name), name) for name in found]
        if not isinstance(found, list) or not {*found} <= {*names}:
            raise ValueError("not a list of components")
        return tuple(name for name in names if name in found)
    return tuple(found) if isinstance(found, list) else found


def _read_list(value: Any, otherwise: Callable[[str], list[str]]) -> Any:
    """Parse a text as a JSON list, or else by `otherwise`; return any other value unchanged."""
    if not isinstance(value, str):
        return value
    if not value.lstrip().startswith("["):
        return otherwise(value)
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return otherwise(value)


def is_secret(name: str) -> bool:
    """Return whether a setting's value must never be shown."""
    return name == "api_key"


class StepValues(BaseModel):
    """Settings that differ for one step."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    tier: Annotated[
        Literal["fast", "strong"] | None,
        SettingHelp("The model that answers: of the fast or the strong tier.", "fast or strong"),
    ] = None
    temperature: Annotated[
        float | None,
        Field(ge=0, le=2),
        SettingHelp("The sampling temperature.", "a number from 0 to 2"),
    ] = None
    max_tokens: Annotated[
        int | None,
        Field(ge=1),
        SettingHelp("The maximum length of a reply.", "a whole number of tokens, from 1 up"),
    ] = None


Steps = Annotated[
    dict[str, StepValues],
    SettingHelp("Settings that differ for one step.", "tables such as [steps.say]"),
]

SPEC = "a model such as ollama:<name>, llamacpp:<url> or standin"
Models = Annotated[
    str | tuple[str, ...] | None,
    NoDecode,
    BeforeValidator(read_models),
    SettingHelp(
        "The model of both tiers, or a list of its servers; by default what this machine offers.",
        f"{SPEC}, or a list of servers such as llamacpp:<url>",
        '"ollama:qwen2.5:3b"',
    ),
]
"""The setting `model`."""
Similarity = Annotated[
    Annotated[float, Field(gt=0, le=1)] | None,
    SettingHelp(
        "Minimum similarity of two activities for reusing a routine; by default 0.88.",
        "a number above 0, at most 1",
        "0.97",
    ),
]
"""The setting `routine_similarity`."""

Kinds = Annotated[tuple[str, ...], NoDecode, BeforeValidator(read_kinds)]
Components = Annotated[tuple[str, ...], NoDecode, BeforeValidator(read_components)]
Hosts = Annotated[tuple[str, ...], NoDecode, BeforeValidator(read_hosts)]
Stop = Annotated[tuple[str, ...], NoDecode, BeforeValidator(read_stop)]


class ProfileValues(BaseModel):
    """Settings that a model's profile may set; None for those it does not set."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True, strict=True, frozen=True)

    anchors: Anchors | None = None
    examples: Annotated[int, Field(ge=0, le=10)] | Literal["auto"] | None = None
    constrain: Constrain | None = None
    repairs: Annotated[int, Field(ge=0)] | None = None


Profiles = Annotated[
    dict[str, ProfileValues],
    SettingHelp(
        "Settings that hold whenever one model answers, unless set otherwise.",
        'tables such as [profiles."ollama:qwen2.5:3b"]',
    ),
]
PROFILED = tuple(ProfileValues.model_fields)
"""Names of the settings that a profile may set."""
BY_TIER = ("examples", "constrain", "repairs")
"""Names of the profile's settings that may differ between the models of both tiers. `anchors`
concerns only planning."""


def find_profile(profiles: Mapping[str, ProfileValues], spec: str | None) -> str | None:
    """Return the name of the profile for a model's exact spec, or for the spec without options."""
    if spec is None or not profiles:
        return None
    named = {read_model(name): name for name in profiles}
    model = read_model(spec)
    return named.get(model) or named.get(replace(model, options=()))


def profiled_value(
    profiles: Mapping[str, ProfileValues], spec: str | None, name: str
) -> tuple[Any, str]:
    """Return a setting's value in a model's profile, and the profile's name.

    The value is None if the profile does not set it; the name is empty if there is no profile.
    """
    found = find_profile(profiles, spec)
    value = None if found is None else getattr(profiles[found], name)
    return value, found or ""


def read_model(text: str) -> Spec:
    """Return a model's parsed spec, so that two spellings of one model are equal.

    Raises SpecError for a spec that cannot be parsed.
    """
    spec = parse_spec(text)
    target = spec.target
    if spec.kind == "ollama":
        target = target.removesuffix(":latest")
    elif spec.kind == "gguf":
        target = str(Path(target).expanduser().resolve())
    return replace(spec, target=target)
