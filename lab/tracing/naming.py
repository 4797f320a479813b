"""How trees and spans are called: names for people, and ids that are the same at every reading."""

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from agents.times import clock, minute_of
from graphs.loop.ledger import OUTCOMES
from models.errors import SpecError
from models.spec import parse_spec

DIGITS = 8
"""Hex digits of a thought's or talk's id within its run."""
MOST_NAMED = 3
"""So many steps a thought's name has at most; `+2` says that there are two more."""
PROVIDERS = {"llamacpp": "llama.cpp", "gguf": "llama.cpp", "mistralai": "mistral_ai"}
"""What the conventions, or the servers themselves, call a provider that is not called so here."""


def thought_digits(owner: str, tick: int) -> str:
    """Return the digits that name a thought or talk within its run, and within forks of it."""
    return blake2b(f"{owner}\0{tick}".encode(), digest_size=DIGITS // 2).hexdigest()


def span_id(start: float, *parts: object) -> str:
    """Return a span's id from what tells it from all others: 32 hex digits, always the same.

    It has the shape of a UUID of version 7, which LangSmith asks for: first when it began.
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
    """Return what a thought did: its steps, or where it ended when it asked nothing.

    Steps stand in their order, each once with how often: `say ×4`.
    """
    if not steps:
        return "failed" if failed else (path[-1] if path else "nothing")
    told = [step if n == 1 else f"{step} ×{n}" for step, n in Counter(steps).items()]
    more = len(told) - MOST_NAMED
    return ", ".join(told[:MOST_NAMED]) + (f" +{more}" if more > 0 else "")


def worst(outcomes: Iterable[str]) -> str:
    """Return the worst of some steps' outcomes, `failed` the worst of all; empty of none."""
    return max(filter(None, outcomes), key=(*OUTCOMES, "failed").index, default="")


def odd_tags(kinds: Iterable[str]) -> tuple[str, ...]:
    """Return the tags of what is odd in answers: `odd: hours`, each kind once."""
    return tuple(f"odd: {kind}" for kind in dict.fromkeys(kinds))


def model_of(spec: str) -> tuple[str, str]:
    """Return the provider and the model's name of a spec: `ollama`, `mistral`.

    A chat that a program made by itself may be called anything.
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
