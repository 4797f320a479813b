"""What spans say of themselves: every field once, with what it means and who carries it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lab.tracing.span import Kind

ALL: tuple[Kind, ...] = (
    "hour",
    "thought",
    "talk",
    "step",
    "render",
    "recall",
    "attempt",
    "model",
    "parse",
)
ROOTS: tuple[Kind, ...] = ("hour", "thought", "talk")
IN_STEPS: tuple[Kind, ...] = ("step", "render", "recall", "attempt", "model", "parse")
IN_ATTEMPTS: tuple[Kind, ...] = ("attempt", "model", "parse")
COUNTED: tuple[Kind, ...] = (*ROOTS, "step", "attempt", "model")


@dataclass(frozen=True)
class Field:
    """One field of spans' metadata."""

    name: str
    meaning: str
    kinds: tuple[Kind, ...]
    """The kinds of spans that carry it."""


FIELDS: tuple[Field, ...] = (
    Field("run", "The run's name.", ALL),
    Field("agent", "Whose mind it is; of a talk, everybody in it, parted by ` & `.", ALL),
    Field("time", "Town time, day and clock: `1 07:40`.", ALL),
    Field("tick", "The tick of the thought or talk; of an hour, of its first.", ALL),
    Field("thread", "One per agent of a run: what a session or conversation is elsewhere.", ROOTS),
    Field(
        "thought",
        "Eight hex digits that name the thought or talk: `smolville trace RUN` takes them.",
        ("thought", "talk"),
    ),
    Field("stimuli", "Why the mind had to think.", ("thought",)),
    Field("nodes", "The mind graph's nodes, in the order in which they ran.", ("thought",)),
    Field("talk", "The talk's id.", ("talk",)),
    Field("participants", "Who took part; the one who began comes first.", ("talk",)),
    Field("place", "Where it was held.", ("talk",)),
    Field("lines", "How many lines were said.", ("talk",)),
    Field("ended_by", "Who ended it, or `the cap`.", ("talk",)),
    Field("thoughts", "How many thoughts and talks the hour holds.", ("hour",)),
    Field("steps", "How many steps were taken.", ROOTS),
    Field(
        "outcome",
        "How the step ended: `clean`, `mended`, `repaired`, `escalated` or `fallback`; of a "
        "thought, talk or hour, its worst step's, `failed` when a thought failed, and empty when "
        "nothing was asked.",
        (*ROOTS, "step"),
    ),
    Field("step", "The step's name.", IN_STEPS),
    Field("ordinal", "The n-th use of the step in its thought or talk, from 0.", IN_STEPS),
    Field("moment", "The moment's id: `smolville prompt render --moment` takes it.", ("step",)),
    Field("attempt", "From 0: the first question.", IN_ATTEMPTS),
    Field("attempts", "How many questions the step took.", ("step",)),
    Field("calls", "How many questions were asked.", ROOTS),
    Field(
        "problems",
        "What was wrong with the reply, as it was said to the model; of a step, with all of its "
        "replies in their order.",
        ("step", "attempt", "parse"),
    ),
    Field("kinds", "The kind of each problem, in the same order.", ("parse",)),
    Field("mends", "What was mended in code.", ("step", "parse")),
    Field("accepted", "Whether the reply gave an answer.", ("attempt", "parse")),
    Field(
        "memories",
        "Ids of memories: of a recall, all that came back; of a step, those the prompt showed.",
        ("step", "recall"),
    ),
    Field(
        "scores",
        "Their scores in the same order; left out when a prompt did not show all of them.",
        ("recall",),
    ),
    Field("examples", "How many example cases the prompt showed.", ("step", "render")),
    Field("dropped", "Memories and lines left out so that the prompt fits.", ("step", "render")),
    Field("template", "The prompt template's version, 8 hex digits.", ("step", "render", "model")),
    Field("model", "The model's spec.", ("step", "model")),
    Field("tier", "`fast` or `strong`.", ("step", "model")),
    Field("temperature", "As it was asked.", ("model",)),
    Field("max_tokens", "The reply's allowance.", ("model",)),
    Field("seed", "The draw that the model was seeded with.", ("model",)),
    Field("constrained", "Whether decoding was held to the answer's schema.", ("model",)),
    Field("finish", "`stop`, `length`, or `unreadable`.", ("model",)),
    Field("prompt_tokens", "Tokens of the prompts.", COUNTED),
    Field("completion_tokens", "Tokens of the replies.", COUNTED),
    Field("thinking_tokens", "Tokens thought aloud before the replies.", COUNTED),
    Field("cached_tokens", "Prompt tokens that the server had read before.", COUNTED),
    Field("cached_share", "Their share of the prompt tokens, 0 to 1.", COUNTED),
    Field("model_ms", "Milliseconds of the answered calls.", COUNTED),
    Field("prompt_ms", "Reading the prompt, by the server's own clock.", ("model",)),
    Field("reply_ms", "Writing the reply, by the server's own clock.", ("model",)),
    Field(
        "waited_ms",
        "From the question to the model's beginning: its turn at the server, and lost calls.",
        ("attempt",),
    ),
    Field("retries", "Calls lost on the way before one was answered.", ("model",)),
    Field("cuts", "Prompts too long for the context before one had room.", ("model",)),
    Field("lost", "What was wrong with those, a sentence each.", ("model",)),
    Field("slot", "The server's slot it was sent to.", ("model",)),
    Field(
        "source",
        "Who had the reply: `model`, the reply `cache`, or the run's own `journal` after a crash. "
        "Only a model takes time in the tree.",
        ("model",),
    ),
)
"""In the order in which they are told. A field that is not known is left out."""

_ORDER = {each.name: number for number, each in enumerate(FIELDS)}


def told(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata in the order of FIELDS, without what is not known."""
    known = {name: value for name, value in fields.items() if value is not None}
    return dict(sorted(known.items(), key=lambda item: _ORDER[item[0]]))


def counted(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the tokens and milliseconds of some spans together; None for what nobody told."""
    known = list(parts)
    total = {name: _total(known, name) for name in SUMMED}
    return total | {"cached_share": share(total["cached_tokens"], total["prompt_tokens"])}


SUMMED = ("prompt_tokens", "completion_tokens", "thinking_tokens", "cached_tokens", "model_ms")


def share(part: int | None, whole: int | None) -> float | None:
    """Return a share, rounded; None where either is unknown."""
    return round(part / whole, 4) if part is not None and whole else None


def _total(parts: list[Mapping[str, Any]], name: str) -> Any:
    values = [part[name] for part in parts if part.get(name) is not None]
    return round(sum(values), 3) if values else None
