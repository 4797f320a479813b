"""The spec of a run as stored in its `run.json`: flat names and plain values."""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from smolville.agents.entities import Plot
from smolville.agents.errors import RunError
from smolville.graphs.components import component_names
from smolville.graphs.loop.rules import Rules
from smolville.models.request import ModelSettings

FORMAT = 1
"""Format version of run.json."""
SPEC_FILE = "run.json"
LARGEST = 16_000_000
"""Maximum size of a run.json in bytes: a thousand agents take less."""
_LONGEST_TICK = 31_536_000
"""Maximum length of a tick in seconds: a year, since beyond that days have no dates."""

Setting = str | int | float | bool | tuple[str, ...] | None

_STEPS = "steps."
"""Prefix of the settings of a single step: `steps.say.tier`."""
Kind = TypeVar("Kind", Rules, ModelSettings)
_COMPONENTS = "components"
"""The setting that lists the components of the mind which the run's version had."""
_FIRST_COMPONENTS = ("observation", "planning", "routines", "reflection", "social", "norms")
"""Components of runs whose version did not list them."""
_RULES, _MODELS = TypeAdapter(Rules), TypeAdapter(ModelSettings)


class ModelSpecs(BaseModel):
    """The models of a run, as the operator wrote them."""

    model_config = ConfigDict(frozen=True)

    fast: str
    strong: str
    embedder: str
    keywords: str = ""
    """Built-in embedder of keywords; empty for a run without a keyword channel, such as a run of an
    early version."""
    sizes: dict[str, str] = {}
    """Parameters and quantisation (`3.2B, Q4_K_M`) of models that report them, by spec."""
    windows: dict[str, int] = {}
    """Context size in tokens of models for which it is known, by spec."""
    servers: dict[str, tuple[str, ...]] = {}
    """Specs of the further servers that share a model's calls, by the model's spec."""


class RunSpec(BaseModel):
    """The spec of a run: everything that was asked for when it was begun."""

    model_config = ConfigDict(frozen=True)

    format: int = FORMAT
    name: str
    town: str
    """The town's folder, as it was asked for."""
    town_name: str
    town_hash: str
    """Hash of the town's files: a run can be resumed only in the same town."""
    cast: tuple[str, ...]
    """Names of the agents."""
    seed: int
    tick_seconds: Annotated[int, Field(ge=1, le=_LONGEST_TICK)] = 10
    schedule: Literal["lockstep", "serial", "free"] = "lockstep"
    models: ModelSpecs
    settings: dict[str, Setting] = {}
    """Settings as written by `flatten_settings`, and read by `rules_in` and `models_in`."""
    prompts: dict[str, str] = {}
    """Version of each template, by name."""
    versions: dict[str, str] = {}
    """Version of each package, by name."""
    plot: Plot | None = None
    """The outline of the story that happens in the town; None if there is no story."""
    routines: str = ""
    """Hash of the file of routines that the run was begun with; empty for none."""
    created: str = ""
    """Wall-clock time, ISO 8601; for information only."""
    answers: str = ""
    """Of a recording whose models' names do not tell it: who gave the answers, as a clause."""
    forked_from: str = ""
    forked_at: int | None = None
    """The last tick copied from the run `forked_from`."""


def read_spec(text: bytes, name: str) -> RunSpec:
    """Parse a run.json; raise RunError, which names the fault and its place, if it is invalid."""
    try:
        if len(text) > LARGEST:
            raise ValueError(f"it has more than {LARGEST // 1_000_000} MB")
        spec = RunSpec.model_validate_json(text.decode("utf-8-sig"))
    except ValueError as error:
        raise RunError(
            f"{SPEC_FILE} of run {name!r} is damaged: {_reason(error)}; put the file back as it was"
        ) from error
    if spec.format > FORMAT:
        raise RunError(
            f"run {name!r} was made by a later Smolville (format {spec.format}, this one reads "
            f"up to {FORMAT}); update smolville to open it"
        )
    return spec.model_copy(update={"name": name})


def _reason(error: ValueError) -> str:
    """Return a message on what is wrong with a run.json, and at which place."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 text (byte {error.start})"
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the whole file"
    return f"{where}: {first['msg'].removeprefix('Value error, ')}"


def flatten_settings(rules: Rules, models: ModelSettings) -> dict[str, Setting]:
    """Return rules and models as plain values by flat name.

    Of the settings of single steps, only those that were set are included.
    """
    flat: dict[str, Setting] = {
        item.name: getattr(rules, item.name) for item in fields(rules) if item.name != "steps"
    }
    for step, rule in sorted(rules.steps.items()):
        for name, value in asdict(rule).items():
            if value is not None:
                flat[f"{_STEPS}{step}.{name}"] = value
    return flat | asdict(models) | {_COMPONENTS: component_names()}


def rules_in(settings: Mapping[str, Setting]) -> Rules:
    """Return the rules that a run was begun with; missing ones have their defaults.

    Components of the mind that are newer than the run are switched off.
    """
    steps: dict[str, dict[str, Any]] = {}
    for path, value in settings.items():
        if path.startswith(_STEPS):
            step, _, name = path.removeprefix(_STEPS).rpartition(".")
            steps.setdefault(step, {})[name] = value
    rules = _read(_RULES, _select_known_settings(settings, Rules) | {"steps": steps})
    known = settings.get(_COMPONENTS, _FIRST_COMPONENTS)
    known = known if isinstance(known, tuple) else ()
    without = {*rules.without, *(name for name in component_names() if name not in known)}
    return replace(rules, without=tuple(name for name in component_names() if name in without))


def models_in(settings: Mapping[str, Setting]) -> ModelSettings:
    """Return the model settings that a run was begun with; missing ones have their defaults."""
    return _read(_MODELS, _select_known_settings(settings, ModelSettings))


def _read(kind: TypeAdapter[Kind], values: dict[str, Any]) -> Kind:
    """Validate settings from a run.json; RunError names the first invalid one."""
    try:
        return kind.validate_python(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise RunError(
            f"run.json is damaged: its setting {name} cannot be {first['input']!r:.60}: "
            f"{first['msg']}; put the file back as it was"
        ) from error


def _select_known_settings(settings: Mapping[str, Setting], kind: type) -> dict[str, Any]:
    names = {item.name for item in fields(kind)}
    return {name: value for name, value in settings.items() if name in names and name != "steps"}
