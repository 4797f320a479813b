"""Every setting there is: its type, its default, what it does and what it may be."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from cli.settings.readings import (
    Told,
    read_embedder,
    read_hosts,
    read_kinds,
    read_spec,
    read_stop,
)
from cli.settings.step_values import StepValues
from graphs.loop.rules import Anchors, Rules
from models.pacing import Backoff
from models.request import Constrain, Settings, TemplateStyle
from world.means import VISITOR_PATIENCE

PREFIX = "SMOLVILLE_"
"""Begins the name of every variable."""
NESTED = "__"
"""Parts a step's settings in a variable: `SMOLVILLE_STEPS__SAY__TIER`."""

RULES, MODELS = Rules(), Settings()

SPEC = "a model such as ollama:<name>, llamacpp:<url> or standin"
TRUTH = "true or false"
Model = Annotated[str, AfterValidator(read_spec)]


class Values(BaseSettings):
    """Every setting and its value; `cli.settings.choosing` says where each came from."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter=NESTED,
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
        frozen=True,
    )

    model: Annotated[
        Model | None,
        Told(
            "The model of both tiers; without one Smolville takes what this machine offers.",
            SPEC,
            '"ollama:qwen2.5:3b"',
        ),
    ] = None
    fast: Annotated[
        Model | None, Told("Another model for the small steps.", SPEC, '"ollama:llama3.2:1b"')
    ] = None
    strong: Annotated[
        Model | None,
        Told("Another model for plans, talks and insights.", SPEC, '"ollama:qwen2.5:7b"'),
    ] = None
    embedder: Annotated[
        Annotated[str, AfterValidator(read_embedder)] | None,
        Told(
            "What compares memories; without one an embedding model of your Ollama, or wordllama.",
            "an embedder such as wordllama or ollama:nomic-embed-text",
            '"ollama:nomic-embed-text"',
        ),
    ] = None
    cast: Annotated[
        int | None,
        Told("Which of the town's casts, by its size.", "a whole number", "3"),
    ] = None
    seed: Annotated[int, Told("Another seed, another day.", "a whole number")] = 0
    tick: Annotated[
        int,
        Field(ge=1, le=86_400),
        Told("Town seconds of a tick.", "a whole number of seconds, 1 to 86400"),
    ] = 10
    schedule: Annotated[
        Literal["serial", "lockstep"],
        Told("Whether people think in turn or all at once.", "serial or lockstep"),
    ] = "lockstep"
    repairs: Annotated[
        int,
        Field(ge=0),
        Told("Repairs of an answer before a step falls back.", "a whole number, from 0 up"),
    ] = RULES.repairs
    strict: Annotated[bool, Told("Whether the run stops where a step would fall back.", TRUTH)] = (
        RULES.strict
    )
    strict_sense: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(read_kinds),
        Told(
            "Kinds of oddity at which the run stops, though the answer would be accepted.",
            'a list of kinds such as ["hours", "fact"], or ["any"]',
        ),
    ] = RULES.strict_sense
    history: Annotated[
        Literal["last", "full"],
        Told("What a repair shows: the last wrong answer, or all of them.", "last or full"),
    ] = "last"
    examples: Annotated[
        Annotated[int, Field(ge=0, le=10)] | Literal["auto"],
        Told(
            "Example answers shown with a question; auto: 1 for a model, 0 for the stand-in.",
            "auto or a whole number, 0 to 10",
        ),
    ] = "auto"
    examples_from_run: Annotated[
        bool, Told("Whether accepted answers of the same run may be examples too.", TRUTH)
    ] = RULES.examples_from_run
    anchors: Annotated[
        Anchors,
        Told(
            "What stands in a day unasked, beside promises: work and meals, work, or neither.",
            "on, soft or off",
        ),
    ] = RULES.anchors
    constrain: Annotated[
        Constrain,
        Told(
            "Whether a reply is held to JSON of the right shape: where the server can, always, "
            "or never.",
            "auto, schema or none",
        ),
    ] = MODELS.constrain
    template_style: Annotated[
        TemplateStyle,
        Told(
            "Where the rules of a step stand: as the model's chat template can, in a system "
            "message, or in the first question.",
            "auto, system or merged",
        ),
    ] = MODELS.template_style
    num_ctx: Annotated[
        int,
        Field(ge=256),
        Told(
            "The context that Ollama is asked for, in tokens.",
            "a whole number of tokens, from 256 up",
        ),
    ] = MODELS.num_ctx
    timeout: Annotated[
        float,
        Field(gt=0, allow_inf_nan=False),
        Told(
            "Seconds without a word from the server after which a call is lost.",
            "a number of seconds above 0",
        ),
    ] = MODELS.timeout
    keep_alive: Annotated[
        str,
        Field(pattern=r"^(-?\d+|-?(\d+(\.\d+)?(ms|s|m|h))+)$"),
        Told(
            "How long Ollama keeps a model loaded after a call.",
            'a length of time such as "30m", "2h", "0", or "-1" for ever',
        ),
    ] = MODELS.keep_alive
    top_p: Annotated[
        float | None,
        Field(gt=0, le=1),
        Told("Sampling, left to the server unless set.", "a number above 0, up to 1", "0.9"),
    ] = MODELS.top_p
    min_p: Annotated[
        float | None,
        Field(ge=0, le=1),
        Told("Sampling, left to the server unless set.", "a number from 0 to 1", "0.05"),
    ] = MODELS.min_p
    stop: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(read_stop),
        Told("Texts at which a reply ends.", 'a list of texts such as ["</s>"]'),
    ] = MODELS.stop
    thinking: Annotated[bool, Told("Whether a model that can think aloud may.", TRUTH)] = (
        MODELS.thinking
    )
    thinking_tokens: Annotated[
        int,
        Field(ge=0),
        Told("What thinking may take of a reply.", "a whole number of tokens, from 0 up"),
    ] = MODELS.thinking_tokens
    patience: Annotated[
        float,
        Field(ge=0, allow_inf_nan=False),
        Told(
            "Seconds for which a server that went away is waited for.",
            "a number of seconds, from 0 up",
        ),
    ] = Backoff().patience_seconds
    visitor_patience: Annotated[
        float,
        Field(ge=0, allow_inf_nan=False),
        Told("Seconds for which a talk waits for a visitor's line.", "a number of seconds"),
    ] = VISITOR_PATIENCE
    cache: Annotated[
        Path | None,
        Told(
            "A folder that keeps replies, so that the same question is not asked twice.",
            "a folder",
            '"cache"',
        ),
    ] = None
    prompts: Annotated[
        Path | None,
        Told(
            "Templates laid over the shipped ones; a run goes on with its own.",
            "a folder of templates, or the name of a shipped overlay",
            '"my_prompts"',
        ),
    ] = None
    trace: Annotated[
        Literal["off", "thoughts", "hours", "failures"] | None,
        Told(
            "What a run sends to LangSmith: a trace a thought, a trace an agent's hour, or only "
            "what went wrong. Without it, thoughts where LANGSMITH_TRACING is true and there is a "
            "key, else nothing.",
            "off, thoughts, hours or failures",
            '"hours"',
        ),
    ] = None
    trace_mask: Annotated[
        Literal["off", "personas", "texts"],
        Told(
            "What is taken out of traces before they are sent to LangSmith: nothing, who people "
            "are (names and what prompts say of them), or every text besides.",
            "off, personas or texts",
        ),
    ] = "off"
    headless: Annotated[bool, Told("Whether a run is lived without a page to watch it.", TRUTH)] = (
        False
    )
    runs: Annotated[Path, Told("Where the runs live.", "a folder")] = Path("runs")
    api_key: Annotated[
        SecretStr | None,
        Told(
            "Sent to llamacpp: and openai: servers. Better kept in a variable or in .env.",
            "a text",
            '"..."',
        ),
    ] = None
    key_hosts: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(read_hosts),
        Told(
            "Servers that a run's folder may name and keys are sent to.",
            'a list of servers such as ["llm.example.org", "127.0.0.1:8000"]',
        ),
    ] = ()
    steps: Annotated[
        dict[str, StepValues],
        Told("What is different for one step.", "tables such as [steps.say]"),
    ] = Field(default_factory=dict)

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
        """Take the values as they are handed in: the layers are merged where they are named."""
        return (init_settings,)


def told(name: str, of: type[BaseModel] = Values) -> Told:
    """Return what people are told about a setting, or about one of a step."""
    return next(each for each in of.model_fields[name].metadata if isinstance(each, Told))


def is_secret(name: str) -> bool:
    """True for a setting whose value nobody is shown."""
    return name == "api_key"
