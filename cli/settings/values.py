"""Every setting, spelt once: name, type, limits, default, help, and the flag of `run`, if any.

Flags, variables, the settings file, `smolville settings`, error messages and what a run keeps when
it is resumed all follow from the fields of `SettingValues`.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from smolville.graphs.components import component_names
from smolville.graphs.loop.rules import Anchors, Rules
from smolville.models.errors import SpecError
from smolville.models.keys import is_host
from smolville.models.pacing import Backoff
from smolville.models.request import Constrain, ModelSettings, TemplateStyle
from smolville.models.spec import Spec, parse_spec

PREFIX = "SMOLVILLE_"
"""Prefix of the environment variables that are settings."""
NESTED = "__"
"""Separator in the variable of a step's setting: `SMOLVILLE_STEPS__SAY__TIER`."""

Kept = Literal["", "always", "unless said"]
"""Whether a run that is resumed keeps its own value: never, always, or unless a flag changes it."""
ALWAYS: Kept = "always"
ASKED: Kept = "unless said"


class Setting(NamedTuple):
    """What is told of a setting."""

    about: str
    allowed: str
    """The allowed values, phrased to follow "write"."""
    kept: Kept = ""
    flag: str = ""
    """How the value of its flag of `smolville run` is shown: `N`; empty if it has no flag."""
    example: str = ""
    """An example value in TOML syntax, for a setting without a default."""


def setting(
    default: Any,
    about: str,
    allowed: str,
    kept: Kept = "",
    flag: str = "",
    example: str = "",
    **limits: Any,
) -> Any:
    """Return a field of `SettingValues`; see `Setting`."""
    told: Any = {"told": Setting(about, allowed, kept, flag, example)}
    return Field(default, json_schema_extra=told, **limits)


class NotASpec(ValueError):
    """Raised for a model or embedder spec that cannot be parsed; says how to write one."""


def read_spec(value: str) -> str:
    """Return a model's spec unchanged; raise NotASpec when it is invalid."""
    try:
        parse_spec(value)
    except SpecError as error:
        raise NotASpec(str(error)) from error
    return value


def _read_embedder(value: str) -> str:
    from smolville.models.embedding.embedder import parse_embedder

    try:
        parse_embedder(value)
    except SpecError as error:
        raise NotASpec(str(error)) from error
    return value


def _read_models(value: Any) -> Any:
    """Return a model's spec, or the specs of its servers; a variable holds a JSON list of them."""
    found = read_list(value)
    if not isinstance(found, list | tuple):
        return value
    if not found or not all(isinstance(each, str) for each in found):
        raise ValueError("not a list of models")
    specs = tuple(read_spec(each) for each in found)
    return specs if specs[1:] else specs[0]


def _read_hosts(value: Any) -> Any:
    found = _read_names(value)
    if isinstance(found, list) and not all(isinstance(one, str) and is_host(one) for one in found):
        raise ValueError("not a list of servers")
    return found


def _read_components(value: Any) -> Any:
    """Return the components to leave out in their usual order; `habits` means `routines`."""
    found, names = _read_names(value), component_names()
    if not isinstance(found, list):
        return found
    wanted = {"routines" if name == "habits" else name for name in found}
    if not wanted <= {*names}:
        raise ValueError("not a list of components")
    return tuple(name for name in names if name in wanted)


def read_list(value: Any, otherwise: Callable[[str], list[str]] = lambda text: [text]) -> Any:
    """Parse a text as a JSON list, or else by `otherwise`; return any other value unchanged."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except json.JSONDecodeError:
            pass
    return otherwise(value)


def _read_names(value: Any) -> Any:
    found = read_list(value, lambda text: [part.strip() for part in text.split(",")])
    return list(found) if isinstance(found, tuple) else found


TRUTH = "true or false"
SPEC = "a model such as ollama:<name>, llamacpp:<url> or standin"
TOKENS = "a whole number of tokens, from 0 up"
Model = Annotated[str, AfterValidator(read_spec)]
Embedder = Annotated[str, AfterValidator(_read_embedder)]
Models = Annotated[str | tuple[str, ...] | None, NoDecode, BeforeValidator(_read_models)]
Components = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_read_components)]
Hosts = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_read_hosts)]
Stop = Annotated[tuple[str, ...], NoDecode, BeforeValidator(read_list)]
Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Examples = Annotated[int, Field(ge=0, le=10)] | Literal["auto"]


class StepValues(BaseModel):
    """Settings that differ for one step."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    tier: Literal["fast", "strong"] | None = setting(
        None, "The model that answers: of the fast or the strong tier.", "fast or strong"
    )
    temperature: float | None = setting(
        None, "The sampling temperature.", "a number from 0 to 2", ge=0, le=2
    )
    max_tokens: int | None = setting(
        None, "The longest reply.", "a whole number of tokens, from 1 up", ge=1
    )


class ProfileValues(BaseModel):
    """Settings that hold whenever one model answers, unless they are set anywhere else.

    Profiles are tables of the settings file; `smolville doctor --write` writes them.
    """

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True, strict=True, frozen=True)

    anchors: Anchors | None = None
    examples: Examples | None = None
    constrain: Constrain | None = None
    repairs: Count | None = None


class SettingValues(BaseSettings):
    """Every setting and its value; `cli.settings.choosing` says where each came from."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter=NESTED,
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
        frozen=True,
    )

    cast: int | None = setting(
        None, "Use the town's cast of N people.", "a whole number", ALWAYS, "N", "3"
    )
    seed: int = setting(0, "Another seed gives another day.", "a whole number", ALWAYS, "N")
    without: Components = setting(
        Rules.without,
        "Leave out components of the mind, such as reflection.",
        f'a list of {", ".join(component_names())}: ["reflection"]',
        ALWAYS,
        "A,B",
    )

    model: Models = setting(
        None,
        "ollama:<name>, llamacpp:<url>, openai:<url>#<name>, standin, ...; repeated: servers of "
        "one model. By default what this machine offers.",
        f"{SPEC}, gguf:<file>, openai:<url>#<name>, langchain:<provider>/<model>, "
        "or a list of servers such as llamacpp:<url>",
        flag="SPEC",
        example='"ollama:qwen2.5:3b"',
    )
    fast: Model | None = setting(
        None, "Another model for small steps.", SPEC, "", "SPEC", '"ollama:llama3.2:1b"'
    )
    strong: Model | None = setting(
        None, "Another model for plans and talks.", SPEC, "", "SPEC", '"ollama:qwen2.5:7b"'
    )
    embedder: Embedder | None = setting(
        None,
        "What compares memories: wordllama, ollama:<name>, ...",
        "an embedder such as wordllama or ollama:nomic-embed-text",
        ALWAYS,
        "SPEC",
        '"ollama:nomic-embed-text"',
    )
    prompts: Path | None = setting(
        None,
        "Templates laid over the shipped ones, for new runs; a resumed run keeps its own.",
        "a folder of templates, or the name of a shipped overlay",
        example='"my_prompts"',
    )

    tick: int = setting(
        10, "Length of a tick.", "a whole number of seconds, 1 to 86400", ALWAYS, ge=1, le=86_400
    )
    anchors: Anchors = setting(
        Rules.anchors,
        "Fixed parts of a day besides promises: work and meals, work only, or neither.",
        "on, soft or off",
        ALWAYS,
    )
    routine_similarity: float | None = setting(
        Rules.routine_similarity,
        "Minimum similarity of two activities for reusing a routine; by default 0.88.",
        "a number above 0, at most 1",
        ALWAYS,
        example="0.97",
        gt=0,
        le=1,
    )

    repairs: Count = setting(
        Rules.repairs, "Repairs before a step falls back.", "a whole number, from 0 up", ALWAYS
    )
    strict: bool = setting(Rules.strict, "Stop if a step would fall back.", TRUTH, ALWAYS)
    history: Literal["last", "full"] = setting(
        "last", "Wrong answers that a repair shows: the last, or all.", "last or full", ALWAYS
    )
    examples: Examples = setting(
        "auto",
        "Example answers shown with a question; auto: 1 for a model, 0 for the stand-in.",
        "auto or a whole number, 0 to 10",
        ALWAYS,
    )
    constrain: Constrain = setting(
        ModelSettings.constrain,
        "Hold replies to JSON of the right shape: if the server can, always, or never.",
        "auto, schema or none",
        ASKED,
    )
    template_style: TemplateStyle = setting(
        ModelSettings.template_style,
        "The message with the rules of a step: as the model's chat template allows, a system "
        "message, or the first question.",
        "auto, system or merged",
        ASKED,
    )
    num_ctx: int = setting(
        ModelSettings.num_ctx,
        "The context size to request from Ollama.",
        "a whole number of tokens, from 256 up",
        ASKED,
        ge=256,
    )
    keep_alive: str = setting(
        ModelSettings.keep_alive,
        "How long Ollama keeps a model loaded after a call.",
        'a length of time such as "30m", "2h", "0", or "-1" for ever',
        ASKED,
        pattern=r"^(-?\d+|-?(\d+(\.\d+)?(ms|s|m|h))+)$",
    )
    top_p: float | None = setting(
        None, "Nucleus sampling.", "a number above 0, up to 1", ASKED, "", "0.9", gt=0, le=1
    )
    min_p: float | None = setting(
        None, "Min-p sampling.", "a number from 0 to 1", ASKED, "", "0.05", ge=0, le=1
    )
    stop: Stop = setting(
        (), "Texts at which a reply ends.", 'a list of texts such as ["</s>"]', ASKED
    )
    thinking: bool = setting(
        ModelSettings.thinking, "Whether a model may think aloud if it can.", TRUTH, ASKED
    )
    thinking_tokens: Count = setting(
        ModelSettings.thinking_tokens, "Limit of the thinking in a reply.", TOKENS, ASKED
    )
    steps: dict[str, StepValues] = setting(
        {}, "Settings that differ for one step.", "tables such as [steps.say]"
    )
    profiles: dict[str, ProfileValues] = setting(
        {},
        "Settings that hold whenever one model answers, unless set otherwise.",
        'tables such as [profiles."ollama:qwen2.5:3b"]',
    )

    schedule: Literal["free", "lockstep", "serial"] = setting(
        "free",
        "Who waits for whom: free, lockstep or serial.",
        "free, lockstep or serial",
        ALWAYS,
        "HOW",
    )
    workers: str | None = setting(
        None,
        "Run thoughts on a Ray cluster's workers.",
        "ray, or ray:<address>",
        flag="ray[:ADDRESS]",
        example='"ray"',
    )
    cache: Path | None = setting(
        None, "Keep replies here, and never ask the same twice.", "a folder", "", "DIR", '"cache"'
    )
    trace: Literal["off", "thoughts", "failures"] | None = setting(
        None,
        "Send to LangSmith: off, thoughts or failures.",
        "off, thoughts or failures",
        flag="WHAT",
        example='"failures"',
    )
    headless: bool = setting(False, "Serve no page to watch.", TRUTH, flag=TRUTH)
    runs: Path = setting(Path("runs"), "The folder of the runs.", "a folder")
    patience: Seconds = setting(
        Backoff.patience_seconds,
        "How long to retry an unreachable server.",
        "a number of seconds, from 0 up",
    )
    timeout: float = setting(
        ModelSettings.timeout,
        "Seconds without any data from the server after which a call counts as lost.",
        "a number of seconds above 0",
        gt=0,
        allow_inf_nan=False,
    )
    visitor_patience: Seconds = setting(
        120.0, "How long a talk waits for a visitor's line.", "a number of seconds"
    )
    api_key: SecretStr | None = setting(
        None,
        "Key for llamacpp: and openai: servers. Better kept in a variable or in .env.",
        "a text",
        example='"..."',
    )
    key_hosts: Hosts = setting(
        (),
        "Servers to which keys may be sent when a run's folder names them.",
        'a list of servers such as ["https://llm.example.org", "http://127.0.0.1:8000"]',
    )

    @field_validator("*", mode="before")
    @classmethod
    def _no_truth(cls, value: Any, info: ValidationInfo) -> Any:
        if (
            isinstance(value, bool)
            and cls.model_fields[str(info.field_name)].annotation is not bool
        ):
            raise ValueError("true and false are no numbers")
        return value

    @classmethod
    def settings_customise_sources(  # type: ignore[override]
        cls, settings_cls: Any, init_settings: Any, **_: Any
    ) -> Any:
        """Use only the values passed in: `cli.settings.choosing` merges the layers."""
        return (init_settings,)


PROFILED = tuple(ProfileValues.model_fields)
"""Names of the settings that a profile may set."""


def setting_of(name: str, of: type[BaseModel] = SettingValues) -> Setting:
    """Return what is told of a setting, or of a setting of one step."""
    told: Any = of.model_fields[name].json_schema_extra
    found: Setting = told["told"]
    return found


SETTINGS: Mapping[str, Setting] = {name: setting_of(name) for name in SettingValues.model_fields}
"""What is told of each setting, by its name."""
SECTIONS = {
    "cast": "Who lives there, and how long",
    "model": "Models",
    "tick": "How they live",
    "repairs": "How models are asked",
    "schedule": "This machine",
}
"""Sections in which settings are shown, by the first setting of each."""
SECRET = "api_key"  # noqa: S105 - its name
"""The setting whose value is never shown."""


def names_kept(kept: Kept) -> tuple[str, ...]:
    """Return the settings that a resumed run keeps in this way."""
    return tuple(name for name, told in SETTINGS.items() if told.kept == kept)


def profile_of(
    profiles: Mapping[str, ProfileValues], spec: str | None
) -> tuple[str, ProfileValues]:
    """Return the profile of a model, and its name; without one, the name is empty.

    A profile for the spec with its options comes before one without options.
    """
    if spec is not None and profiles:
        named, model = {read_model(name): name for name in profiles}, read_model(spec)
        name = named.get(model) or named.get(replace(model, options=()))
        if name is not None:
            return name, profiles[name]
    return "", ProfileValues()


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
