"""A span: one piece of work inside a thought, with its inputs and results, its id and its name."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Literal

from smolville.agents.errors import SettingError
from smolville.agents.times import clock, minute_of
from smolville.agents.times import moment as town_time
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.spec import RunSpec
from smolville.lab.moments.finding import nearest_of
from smolville.models.errors import SpecError
from smolville.models.spec import parse_spec

DIGITS = 8
"""Number of hex digits in a thought's or talk's id within its run."""
MOST_NAMED = 3
"""Maximum number of steps in a thought's name; `+2` stands for two more."""
PROVIDERS = {"llamacpp": "llama.cpp", "gguf": "llama.cpp", "mistralai": "mistral_ai"}
"""The name that the conventions or servers use for a provider, by our name, if the two differ."""
Kind = Literal["hour", "thought", "talk", "step", "render", "recall", "attempt", "model", "parse"]
COUNTED = ("prompt_tokens", "completion_tokens", "thinking_tokens", "cached_tokens", "model_ms")
"""The metadata that a span sums up over its descendants."""


@dataclass(frozen=True, kw_only=True)
class SpanCause:
    """The use of a step that caused a thought or talk; usually it was in an earlier thought."""

    moment: str
    """Id of the moment."""
    root: str
    """Id of the root span of the thought in which the step was used."""
    why: str
    """The reason in words; empty when none was given."""


@dataclass(frozen=True, kw_only=True)
class Span:
    """A node of a tree of spans, independent of any tracing service."""

    name: str
    kind: Kind
    id: str
    """32 hex digits (`span_id`), the same whenever the same history is read."""
    start: float
    """Wall clock time in seconds since the epoch."""
    end: float
    inputs: dict[str, Any] = field(default_factory=dict)
    outputs: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    """Plain values and lists of them, under the names listed in docs/guides/tracing.md."""
    tags: tuple[str, ...] = ()
    error: str = ""
    """Why the span failed; for a parse span, the problems of the reply."""
    cause: SpanCause | None = None
    children: tuple["Span", ...] = ()

    @property
    def milliseconds(self) -> float:
        """Duration in milliseconds."""
        return (self.end - self.start) * 1000.0

    def plain(self) -> dict[str, Any]:
        """Return the span and its descendants as plain data; times are seconds since the epoch."""
        names = ("name", "kind", "id", "start", "end", "milliseconds", "inputs", "outputs")
        fields = {name: getattr(self, name) for name in (*names, "metadata", "error")}
        return fields | {"tags": list(self.tags), "children": [c.plain() for c in self.children]}

    def select_step(self, step: str) -> "Span":
        """Return a copy with one step only; SettingError names the closest step if it is absent."""
        if kept := tuple(each for each in self.children if each.name == step):
            return replace(self, children=kept)
        names = dict.fromkeys(each.name for each in self.children)
        if not names:
            raise SettingError(f"{self.name!r} took no step.")
        raise SettingError(
            f"{self.name!r} took no step {step!r}; did you mean {nearest_of(step, names)}? "
            f"All: {', '.join(names)}."
        )


@dataclass(frozen=True, kw_only=True)
class SpanContext:
    """The context of spans: the run, the thought or talk, and for a step's spans the step."""

    spec: RunSpec
    owner: str
    tick: int
    agent: str
    step: str = ""
    ordinal: int = 0
    outcome: str = ""
    """How the step ended."""
    memories: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    """The memories that the thought's recalls found, by their ids (`why.memories_of`)."""

    def id(self, kind: Kind, start: float, part: int = 0) -> str:
        """Return a span's id; a later run with the same name has other ids."""
        run = (self.spec.name, self.spec.created)
        return span_id(start, *run, self.owner, self.tick, kind, self.step, self.ordinal, part)

    def span(self, kind: Kind, start: float, end: float, name: str = "", **more: Any) -> Span:
        """Return a span in this context, with the name of its kind by default.

        `part` distinguishes spans of the same kind; spans of an attempt use the attempt's number.
        """
        own = more.pop("metadata", {})
        part = more.pop("part", own.get("attempt", 0))
        time = town_time(self.tick * self.spec.tick_seconds)
        shared = {"run": self.spec.name, "agent": self.agent, "time": time, "tick": self.tick}
        attempt = (f"attempt {part + 1}",) if "attempt" in own else ()
        tags = (self.agent, time, *attempt, *more.pop("tags", ()))
        if self.step:
            shared |= {"step": self.step, "ordinal": self.ordinal, "outcome": self.outcome}
            tags = (*tags, self.step, self.outcome)
        return Span(
            name=name or kind,
            kind=kind,
            id=self.id(kind, start, part),
            start=start,
            end=end,
            metadata={key: value for key, value in (shared | own).items() if value is not None},
            tags=tuple(dict.fromkeys(filter(None, tags))),
            **more,
        )


def sum_span_counts(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the summed tokens and milliseconds of some spans; None for values that are unknown."""
    known = list(parts)
    known_counts = {name: [p[name] for p in known if p.get(name) is not None] for name in COUNTED}
    total = {
        name: round(sum(values), 3) if values else None for name, values in known_counts.items()
    }
    return total | {"cached_share": share(total["cached_tokens"], total["prompt_tokens"])}


def share(part: int | None, whole: int | None) -> float | None:
    """Return `part` of `whole` as a rounded fraction; None if either is unknown."""
    return round(part / whole, 4) if part is not None and whole else None


def thought_digits(owner: str, tick: int) -> str:
    """Return the digits that identify a thought or talk within its run and the run's forks."""
    return blake2b(f"{owner}\0{tick}".encode(), digest_size=DIGITS // 2).hexdigest()


def span_id(start: float, *parts: object) -> str:
    """Return a stable span id of 32 hex digits, derived from the parts that identify the span.

    It has the form of a version 7 UUID, which LangSmith requires: it begins with the start time.
    """
    digits = bytearray(blake2b("\0".join(map(str, parts)).encode(), digest_size=16).digest())
    digits[:6] = int(max(0.0, start) * 1000).to_bytes(6, "big")
    digits[6] = 0x70 | digits[6] & 0x0F
    digits[8] = 0x80 | digits[8] & 0x3F
    return digits.hex()


def thought_name(agents: Iterable[str], at: int, did: str) -> str:
    """Return a thought's or talk's name, `Nadia Farouk · 07:40 · ground_block`."""
    return f"{' & '.join(agents)} · {clock(minute_of(at))} · {did}"


def what_was_done(steps: Sequence[str], path: Sequence[str], failed: str = "") -> str:
    """Return what a thought did: its steps, or the node where it ended if it took no step.

    Each step is named once, in order, with how often it was taken: `say ×4`.
    """
    if not steps:
        return "failed" if failed else (path[-1] if path else "nothing")
    names = [step if n == 1 else f"{step} ×{n}" for step, n in Counter(steps).items()]
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" +{more}" if more > 0 else "")


def find_worst_outcome(outcomes: Iterable[str]) -> str:
    """Return the worst of the outcomes (`failed` is the worst of all); empty without any."""
    return max(filter(None, outcomes), key=(*OUTCOMES, "failed").index, default="")


def odd_tags(kinds: Iterable[str]) -> tuple[str, ...]:
    """Return a tag for each kind of oddity, such as `odd: hours`."""
    return tuple(f"odd: {kind}" for kind in dict.fromkeys(kinds))


def model_of(spec: str) -> tuple[str, str]:
    """Return the provider and the model name of a spec: `ollama` and `mistral`.

    A spec that cannot be parsed, as a program may give one to its chat, counts as its own model
    name.
    """
    try:
        read = parse_spec(spec)
    except SpecError:
        return spec.partition(":")[0], spec
    provider, name = str(read.kind), read.target
    if provider == "langchain":
        provider, _, name = name.partition("/")
    elif provider in ("openai", "llamacpp"):
        name = name.partition("#")[2] or spec
    return PROVIDERS.get(provider, provider), name or spec
