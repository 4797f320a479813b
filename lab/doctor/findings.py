"""The doctor's findings: one dataclass per probe, as plain data with stable keys.

A field is None when its probe could not find the value; `problem` then holds the reason.
"""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from smolville.lab.doctor.measured import PlansMeasured

Mark = Literal["good", "note", "bad", "unknown"]
"""The rating of a finding."""
ServerKind = Literal["ollama", "llamacpp"]
Passing = Literal["whole", "cut", "refused", "lost"]
"""How a prompt of known length arrived: whole, silently cut, refused, or lost because the call
failed."""


@dataclass(frozen=True, kw_only=True)
class ModelSeen:
    """A model that a server offers."""

    name: str
    chats: bool
    embeds: bool = False
    thinks: bool | None = None
    """Whether the model can think aloud, as the server reports it; None when it does not say."""
    system_role: bool | None = None
    context_length: int | None = None
    """Context length that the model was trained for, in tokens."""
    parameters: str = ""
    quantization: str = ""
    dimension: int | None = None
    """Length of its vectors if it is an embedding model."""


@dataclass(frozen=True, kw_only=True)
class ServerSeen:
    """A server that the doctor looked for, and what it reports about itself."""

    kind: ServerKind
    url: str
    answers: bool
    version: str = ""
    slots: int | None = None
    num_ctx: int | None = None
    """Context of one slot in tokens, if the server sets it (llama.cpp)."""
    alternates: bool | None = None
    """True when the server's chat template refuses two consecutive turns of the same role."""
    models: tuple[ModelSeen, ...] = ()
    problem: str = ""
    may_pass: bool = False
    """Whether the server is there and may answer later."""


@dataclass(frozen=True, kw_only=True)
class ExaminedModel:
    """The model that was examined."""

    spec: str = ""
    name: str = ""
    server: str = ""
    version: str = ""
    """Version of the server."""
    parameters: str = ""
    quantization: str = ""
    context_length: int | None = None
    """Context length that the model was trained for, in tokens."""
    slots: int = 1
    """Number of calls that a run would have in flight at the same time."""
    first_seconds: float | None = None
    """Seconds of the first small call, including the loading of the model."""
    gpu_share: float | None = None
    """Share of the model in GPU memory, 0 to 1; None if the server does not report it."""
    wrote: bool = False
    """Whether the first reply contained any text or thinking."""
    is_standin: bool = False
    problem: str = ""
    may_pass: bool = False
    """Whether the problem may go away by itself: the server is busy or still loading."""


@dataclass(frozen=True, kw_only=True)
class TemplateFound:
    """The roles that the chat template accepts."""

    system_role: bool | None = None
    alternates: bool | None = None
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class ThinkingFound:
    """Whether the model thinks aloud, and whether thinking can be switched off."""

    thinks: bool | None = None
    switches_off: bool | None = None
    """Whether thinking stops when it is switched off; None for a model that does not think."""
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class SchemaFound:
    """Handling of a JSON schema that is sent with a call, by the server and the model."""

    honoured: bool | None = None
    """Whether the reply has the requested shape, enum and range when the prompt asks for it."""
    honoured_against_prompt: bool | None = None
    """Whether the reply fits the schema even when the prompt asks for something else: only
    constrained decoding can achieve that."""
    by_itself: bool | None = None
    """Whether the model writes such JSON without a schema being sent."""
    sent: bool | None = None
    """Whether the program sends a schema to this model by default."""
    replies: tuple[str, ...] = ()
    """The replies received, shortened: to the matching prompt, to the contradicting prompt, and
    without a schema."""
    is_silent: bool = False
    """Whether every reply was empty and contained no thinking either."""
    problem: str = ""

    @property
    def fits_never(self) -> bool:
        """True when no reply had the requested shape, with or without a schema."""
        return (self.honoured, self.honoured_against_prompt, self.by_itself) == (False,) * 3

    @property
    def holds(self) -> bool:
        """True when the server constrains decoding to a schema."""
        return self.honoured_against_prompt is True


@dataclass(frozen=True, kw_only=True)
class PromptProbe:
    """A prompt of known length, and how it arrived."""

    sent: int
    """Number of tokens sent, calculated from the server's counts of two short prompts."""
    counted: int | None
    """Tokens that the server reports as read."""
    outcome: Passing


@dataclass(frozen=True, kw_only=True)
class ContextFound:
    """The longest prompt that really arrives."""

    num_ctx: int | None = None
    """Context requested from the server or reported by it, in tokens; None when neither is
    known."""
    needed: int | None = None
    """Tokens of the program's longest sample prompt together with its reply."""
    largest: int | None = None
    """Tokens of the longest prompt that arrived whole."""
    is_cut: bool | None = None
    """Whether a prompt that should fit was cut or refused."""
    tries: tuple[PromptProbe, ...] = ()
    prompt_tokens_per_second: float | None = None
    stopped_early: bool = False
    """True when trying the longest prompt would have taken too long."""
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class SpeedAt:
    """Speed of one round of concurrent short calls."""

    in_flight: int
    tokens_per_second: float
    """Tokens per second, in total over all concurrent calls."""
    seconds: float


@dataclass(frozen=True, kw_only=True)
class SpeedFound:
    """Writing speed of replies, with one and with several calls at a time."""

    rounds: tuple[SpeedAt, ...] = ()
    pays: int | None = None
    """Worthwhile number of concurrent calls; with more calls, replies are not written faster."""
    cached_share: float | None = None
    """Share of a step's prompt served from the prefix cache after the same step of another agent;
    None if the server does not report it."""
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class EmbedderFound:
    """The embedder that was found, with its vector length and speed."""

    spec: str = ""
    dimension: int | None = None
    milliseconds: float | None = None
    """Milliseconds for one batch of 16 sentences."""
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class DayEstimate:
    """Estimated cost of one town day."""

    agents: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    minutes: float
    """Minutes at the fastest measured writing speed with at most as many concurrent calls as the
    town sends."""
    minutes_one_at_a_time: float


@dataclass(frozen=True, kw_only=True)
class Advice:
    """One piece of advice."""

    text: str
    command: str = ""
    """A command to copy; empty when there is none."""


@dataclass(frozen=True, kw_only=True)
class DoctorFinding:
    """A finding expressed as a sentence."""

    probe: str
    mark: Mark
    text: str


@dataclass(frozen=True, kw_only=True)
class Findings:
    """All findings of the doctor."""

    asked: str | None
    usable: bool
    """Whether there is a model that can be used."""
    servers: tuple[ServerSeen, ...] = ()
    model: ExaminedModel = field(default_factory=ExaminedModel)
    template: TemplateFound = field(default_factory=TemplateFound)
    thinking: ThinkingFound = field(default_factory=ThinkingFound)
    schema: SchemaFound = field(default_factory=SchemaFound)
    context: ContextFound = field(default_factory=ContextFound)
    speed: SpeedFound = field(default_factory=SpeedFound)
    embedder: EmbedderFound = field(default_factory=EmbedderFound)
    estimate: tuple[DayEstimate, ...] = ()
    findings: tuple[DoctorFinding, ...] = ()
    """The findings above, expressed as sentences."""
    advice: tuple[Advice, ...] = ()
    settings: str = ""
    """Recommended settings file for this machine, as TOML; empty when no model can be used."""
    measured: PlansMeasured | None = None
    """How the model plans days, if that was measured."""
    others: tuple[str, ...] = ()
    """Specs of further servers of the model, which were examined too and can share its calls."""

    def plain(self) -> dict[str, Any]:
        """Return plain data with stable keys, without the findings on further servers."""
        plain = asdict(self) | {"measured": self.measured and self.measured.plain()}
        del plain["others"]
        return plain

    def server(self, kind: str) -> ServerSeen | None:
        """Return the server of this kind that was looked for."""
        return next((each for each in self.servers if each.kind == kind), None)
