"""Profiles of models: settings that hold whenever one model answers, by the model's spec.

They are tables of the settings file, `[profiles."ollama:qwen2.5:3b"]`; `smolville doctor --write`
writes them. Anything else that is set comes before a profile.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from cli.settings.readings import SettingHelp
from graphs.loop.rules import Anchors, Shapes
from models.request import Constrain
from models.spec import Spec, parse_spec

PROFILES = "profiles"
"""Name of the table that holds the profiles."""


class ProfileValues(BaseModel):
    """Settings that a model's profile may set; None for those it does not set."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True, strict=True, frozen=True)

    anchors: Anchors | None = None
    shapes: Shapes | None = None
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
"""Those that may differ between the models of both tiers; `anchors` is for planning alone, and
`shapes` is for the whole mind."""


def find_profile(profiles: Mapping[str, ProfileValues], spec: str | None) -> str | None:
    """Return the name of a model's profile: that of its exact spec, else of the bare spec."""
    if spec is None or not profiles:
        return None
    named = {read_model(name): name for name in profiles}
    model = read_model(spec)
    return named.get(model) or named.get(replace(model, options=()))


def profiled_value(
    profiles: Mapping[str, ProfileValues], spec: str | None, name: str
) -> tuple[Any, str]:
    """Return the value that a profile sets and the profile's name; None if it sets none."""
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
