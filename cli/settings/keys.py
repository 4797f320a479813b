"""Every setting: its type, its default, what it does, and its allowed values."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from smolville.cli.settings.readings import (
    SPEC,
    Components,
    Hosts,
    Kinds,
    Models,
    Profiles,
    SettingHelp,
    Similarity,
    Steps,
    Stop,
    read_embedder,
    read_spec,
)
from smolville.graphs.components import component_names
from smolville.graphs.loop.rules import Anchors, Rules
from smolville.models.pacing import Backoff
from smolville.models.request import Constrain, ModelSettings, TemplateStyle
from smolville.world.run_resources import VISITOR_PATIENCE

PREFIX = "SMOLVILLE_"
"""Prefix of the environment variables that are settings."""
NESTED = "__"
"""Separator in the variable of a step's setting: `SMOLVILLE_STEPS__SAY__TIER`."""

RULES, MODELS = Rules(), ModelSettings()

TRUTH = "true or false"
Model = Annotated[str, AfterValidator(read_spec)]


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

    model: Models = None
    fast: Annotated[
        Model | None,
        SettingHelp("Another model for the steps of the fast tier.", SPEC, '"ollama:llama3.2:1b"'),
    ] = None
    strong: Annotated[
        Model | None,
        SettingHelp("Another model for plans, talks and insights.", SPEC, '"ollama:qwen2.5:7b"'),
    ] = None
    embedder: Annotated[
        Annotated[str, AfterValidator(read_embedder)] | None,
        SettingHelp(
            "The embedder of memories; by default an embedding model of your Ollama, or wordllama.",
            "an embedder such as wordllama or ollama:nomic-embed-text",
            '"ollama:nomic-embed-text"',
        ),
    ] = None
    cast: Annotated[
        int | None,
        SettingHelp("The size of the town's cast to use.", "a whole number", "3"),
    ] = None
    seed: Annotated[int, SettingHelp("The random seed.", "a whole number")] = 0
    tick: Annotated[
        int,
        Field(ge=1, le=86_400),
        SettingHelp("Length of a tick in town time.", "a whole number of seconds, 1 to 86400"),
    ] = 10
    schedule: Annotated[
        Literal["free", "lockstep", "serial"],
        SettingHelp("Wait for people nearby, for all, or take turns.", "free, lockstep or serial"),
    ] = "free"
    repairs: Annotated[
        int,
        Field(ge=0),
        SettingHelp("Repairs of an answer before a step falls back.", "a whole number, from 0 up"),
    ] = RULES.repairs
    strict: Annotated[
        bool, SettingHelp("Whether the run stops if a step would fall back.", TRUTH)
    ] = RULES.strict
    strict_sense: Annotated[
        Kinds,
        SettingHelp(
            "Kinds of oddity that stop the run, although the answer would be accepted.",
            'a list of kinds such as ["hours", "fact"], or ["any"]',
        ),
    ] = RULES.strict_sense
    history: Annotated[
        Literal["last", "full"],
        SettingHelp("What a repair shows: the last wrong answer, or all of them.", "last or full"),
    ] = "last"
    examples: Annotated[
        Annotated[int, Field(ge=0, le=10)] | Literal["auto"],
        SettingHelp(
            "Example answers shown with a question; auto: 1 for a model, 0 for the stand-in.",
            "auto or a whole number, 0 to 10",
        ),
    ] = "auto"
    anchors: Annotated[
        Anchors,
        SettingHelp(
            "Fixed parts of a day plan besides promises: work and meals, work only, or neither.",
            "on, soft or off",
        ),
    ] = RULES.anchors
    without: Annotated[
        Components,
        SettingHelp(
            "Components of the mind to leave out, for comparison.",
            f'a list of {", ".join(component_names())}: ["reflection"]',
        ),
    ] = RULES.without
    routine_similarity: Similarity = RULES.routine_similarity
    constrain: Annotated[
        Constrain,
        SettingHelp(
            "Whether replies are held to JSON of the right shape: if the server can, always, "
            "or never.",
            "auto, schema or none",
        ),
    ] = MODELS.constrain
    template_style: Annotated[
        TemplateStyle,
        SettingHelp(
            "The message with the rules of a step: as the model's chat template "
            "allows, a system message, or the first question.",
            "auto, system or merged",
        ),
    ] = MODELS.template_style
    num_ctx: Annotated[
        int,
        Field(ge=256),
        SettingHelp(
            "The context size to request from Ollama, in tokens.",
            "a whole number of tokens, from 256 up",
        ),
    ] = MODELS.num_ctx
    timeout: Annotated[
        float,
        Field(gt=0, allow_inf_nan=False),
        SettingHelp(
            "Seconds without any data from the server after which a call counts as lost.",
            "a number of seconds above 0",
        ),
    ] = MODELS.timeout
    keep_alive: Annotated[
        str,
        Field(pattern=r"^(-?\d+|-?(\d+(\.\d+)?(ms|s|m|h))+)$"),
        SettingHelp(
            "How long Ollama keeps a model loaded after a call.",
            'a length of time such as "30m", "2h", "0", or "-1" for ever',
        ),
    ] = MODELS.keep_alive
    top_p: Annotated[
        float | None,
        Field(gt=0, le=1),
        SettingHelp("Nucleus sampling; unset: the server's.", "a number above 0, up to 1", "0.9"),
    ] = MODELS.top_p
    min_p: Annotated[
        float | None,
        Field(ge=0, le=1),
        SettingHelp("Min-p sampling; unset: the server's.", "a number from 0 to 1", "0.05"),
    ] = MODELS.min_p
    stop: Annotated[
        Stop,
        SettingHelp("Texts at which a reply ends.", 'a list of texts such as ["</s>"]'),
    ] = MODELS.stop
    thinking: Annotated[bool, SettingHelp("Whether a model may think aloud if it can.", TRUTH)] = (
        MODELS.thinking
    )
    thinking_tokens: Annotated[
        int,
        Field(ge=0),
        SettingHelp("Limit of the thinking in a reply.", "a whole number of tokens, from 0 up"),
    ] = MODELS.thinking_tokens
    patience: Annotated[
        float,
        Field(ge=0, allow_inf_nan=False),
        SettingHelp("How long to retry an unreachable server.", "a number of seconds, from 0 up"),
    ] = Backoff().patience_seconds
    visitor_patience: Annotated[
        float,
        Field(ge=0, allow_inf_nan=False),
        SettingHelp("How long a talk waits for a visitor's line.", "a number of seconds"),
    ] = VISITOR_PATIENCE
    workers: Annotated[
        str | None,
        SettingHelp(
            "Worker processes for thoughts, on a Ray cluster; by default none.",
            "ray, or ray:<address>",
            '"ray"',
        ),
    ] = None
    cache: Annotated[
        Path | None,
        SettingHelp(
            "A folder that keeps replies, so that the same question is not asked twice.",
            "a folder",
            '"cache"',
        ),
    ] = None
    prompts: Annotated[
        Path | None,
        SettingHelp(
            "Templates laid over the shipped ones, for new runs; a resumed run keeps its own.",
            "a folder of templates, or the name of a shipped overlay",
            '"my_prompts"',
        ),
    ] = None
    trace: Annotated[
        Literal["off", "thoughts", "hours", "failures"] | None,
        SettingHelp(
            "What a run sends to LangSmith: a trace per thought, one per agent and hour, or only "
            "what went wrong. By default thoughts if LANGSMITH_TRACING is true and there is a "
            "key, else nothing.",
            "off, thoughts, hours or failures",
            '"hours"',
        ),
    ] = None
    trace_mask: Annotated[
        Literal["off", "personas", "texts"],
        SettingHelp(
            "What is removed from traces before they are sent to LangSmith: nothing, who people "
            "are (names and what prompts say of them), or all other texts as well.",
            "off, personas or texts",
        ),
    ] = "off"
    headless: Annotated[
        bool, SettingHelp("Whether to run without serving a page to watch.", TRUTH)
    ] = False
    runs: Annotated[Path, SettingHelp("The folder of the runs.", "a folder")] = Path("runs")
    api_key: Annotated[
        SecretStr | None,
        SettingHelp(
            "Key for llamacpp: and openai: servers. Better kept in a variable or in .env.",
            "a text",
            '"..."',
        ),
    ] = None
    key_hosts: Annotated[
        Hosts,
        SettingHelp(
            "Servers to which keys may be sent when a run's folder names them.",
            'a list of servers such as ["llm.example.org", "127.0.0.1:8000"]',
        ),
    ] = ()
    steps: Steps = Field(default_factory=dict)
    profiles: Profiles = Field(default_factory=dict)

    @field_validator("*", mode="before")
    @classmethod
    def _no_truth(cls, value: Any, info: ValidationInfo) -> Any:
        wants_truth = cls.model_fields[str(info.field_name)].annotation is bool
        if isinstance(value, bool) and not wants_truth:
            raise ValueError("true and false are no numbers")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Use only the values passed in: `cli.settings.choosing` merges the layers."""
        return (init_settings,)


def find_setting_help(name: str, of: type[BaseModel] = SettingValues) -> SettingHelp:
    """Return the help of a setting, or of a setting of one step."""
    return next(each for each in of.model_fields[name].metadata if isinstance(each, SettingHelp))
