"""What the doctor found: one value per probe, as plain data with stable keys.

A probe that could not find out leaves None where the answer belongs, and a sentence in `problem`.
"""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Mark = Literal["good", "note", "bad", "unknown"]
"""How a finding is to be taken."""
ServerKind = Literal["ollama", "llamacpp"]
Passing = Literal["whole", "cut", "refused", "lost"]
"""How a prompt of known length came through: whole, cut without a word, turned down, or not at all
because the call was lost."""


@dataclass(frozen=True, kw_only=True)
class ModelSeen:
    """One model that a server has."""

    name: str
    chats: bool
    embeds: bool = False
    thinks: bool | None = None
    """Whether it can think aloud, by the server's account; None where it does not say."""
    system_role: bool | None = None
    context_length: int | None = None
    """What it was trained for, in tokens."""
    parameters: str = ""
    quantization: str = ""
    dimension: int | None = None
    """Length of its vectors, where it embeds."""


@dataclass(frozen=True, kw_only=True)
class ServerSeen:
    """One server that was looked for."""

    kind: ServerKind
    url: str
    answers: bool
    version: str = ""
    slots: int | None = None
    num_ctx: int | None = None
    """Context of one slot in tokens, where the server decides (llama.cpp)."""
    alternates: bool | None = None
    """True when its chat template refuses two turns of one role."""
    models: tuple[ModelSeen, ...] = ()
    problem: str = ""
    may_pass: bool = False
    """Whether it is there, and may answer later."""


@dataclass(frozen=True, kw_only=True)
class Patient:
    """The model that was examined."""

    spec: str = ""
    name: str = ""
    server: str = ""
    version: str = ""
    """The server's."""
    parameters: str = ""
    quantization: str = ""
    context_length: int | None = None
    """What it was trained for, in tokens."""
    slots: int = 1
    """Calls in flight that the town would send."""
    first_seconds: float | None = None
    """The first small call, loading the model included."""
    gpu_share: float | None = None
    """Which part of it is in the memory of a GPU, 0 to 1, where the server tells."""
    wrote: bool = False
    """Whether its first reply had anything in it."""
    is_standin: bool = False
    problem: str = ""
    may_pass: bool = False
    """Whether the problem may pass by itself: the server is busy, or still loading."""


@dataclass(frozen=True, kw_only=True)
class TemplateFound:
    """What the chat template takes."""

    system_role: bool | None = None
    alternates: bool | None = None
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class ThinkingFound:
    """Whether the model thinks aloud, and whether it stops when it is told."""

    thinks: bool | None = None
    switches_off: bool | None = None
    """None for a model that does not think."""
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class SchemaFound:
    """What becomes of a JSON schema sent with a call."""

    honoured: bool | None = None
    """An answer of the asked shape, enum and range, when the prompt asks for it."""
    honoured_against_prompt: bool | None = None
    """The same when the prompt asks for something else: only a held decoder does that."""
    by_itself: bool | None = None
    """Whether the model writes such JSON without being held to it."""
    sent: bool | None = None
    """Whether the program sends a schema to this model by itself."""
    replies: tuple[str, ...] = ()
    """What it wrote, shortened: asked, asked for something else, not held; what came of these."""
    is_silent: bool = False
    """Whether every reply was empty, without a thought in it either."""
    problem: str = ""

    @property
    def fits_never(self) -> bool:
        """True when no reply was an answer of the asked shape, held to it or not."""
        return (self.honoured, self.honoured_against_prompt, self.by_itself) == (False,) * 3

    @property
    def holds(self) -> bool:
        """True when the server holds the decoder to a schema."""
        return self.honoured_against_prompt is True


@dataclass(frozen=True, kw_only=True)
class Sent:
    """One prompt of known length."""

    sent: int
    """Tokens: by the server's own tokenizer, else by its counts of two short prompts."""
    counted: int | None
    """Tokens that the server says it has read."""
    outcome: Passing


@dataclass(frozen=True, kw_only=True)
class ContextFound:
    """How long a prompt really gets through."""

    num_ctx: int | None = None
    """What is asked of the server, or what it announces; None where neither is known."""
    needed: int | None = None
    """The longest prompt of the program's samples with its reply."""
    largest: int | None = None
    """The longest prompt that came through whole."""
    is_cut: bool | None = None
    """Whether a prompt that should fit was cut or refused."""
    tries: tuple[Sent, ...] = ()
    prompt_tokens_per_second: float | None = None
    stopped_early: bool = False
    """True when the longest prompt would have taken too much time to try."""
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class SpeedAt:
    """One round of short calls at the same time."""

    in_flight: int
    tokens_per_second: float
    """Of all calls together."""
    seconds: float


@dataclass(frozen=True, kw_only=True)
class SpeedFound:
    """How fast replies are written, one and several at a time."""

    rounds: tuple[SpeedAt, ...] = ()
    pays: int | None = None
    """So many calls at a time are worth it; more do not write faster."""
    cached_share: float | None = None
    """Which part of a step's prompt came out of the prefix cache after the same step of somebody
    else; None where the server does not tell."""
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class EmbedderFound:
    """What turns memories into vectors."""

    spec: str = ""
    dimension: int | None = None
    milliseconds: float | None = None
    """Of one batch of 16 sentences."""
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class DayEstimate:
    """What a town day would take."""

    agents: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    minutes: float
    """With as many calls at a time as the town would send and pay."""
    minutes_one_at_a_time: float


@dataclass(frozen=True, kw_only=True)
class Advice:
    """One thing to do."""

    text: str
    command: str = ""
    """To be copied; empty where there is none."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One finding in a sentence."""

    probe: str
    mark: Mark
    text: str


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Everything the doctor has to say."""

    asked: str | None
    usable: bool
    """Whether a model can be used."""
    servers: tuple[ServerSeen, ...] = ()
    model: Patient = field(default_factory=Patient)
    template: TemplateFound = field(default_factory=TemplateFound)
    thinking: ThinkingFound = field(default_factory=ThinkingFound)
    schema: SchemaFound = field(default_factory=SchemaFound)
    context: ContextFound = field(default_factory=ContextFound)
    speed: SpeedFound = field(default_factory=SpeedFound)
    embedder: EmbedderFound = field(default_factory=EmbedderFound)
    estimate: tuple[DayEstimate, ...] = ()
    findings: tuple[Finding, ...] = ()
    """All of the above in sentences."""
    advice: tuple[Advice, ...] = ()
    settings: str = ""
    """A settings file for this machine, as TOML; empty where no model can be used."""

    def plain(self) -> dict[str, Any]:
        """Return plain data with stable keys."""
        return asdict(self)

    def server(self, kind: str) -> ServerSeen | None:
        """Return a server of a kind that was looked for."""
        return next((each for each in self.servers if each.kind == kind), None)
