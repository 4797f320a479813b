"""Names of trees and spans for people, and ids that are the same at every reading."""

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from agents.times import clock, minute_of
from graphs.loop.ledger import OUTCOMES
from models.errors import SpecError
from models.spec import parse_spec

DIGITS = 8
"""Number of hex digits in a thought's or talk's id within its run."""
MOST_NAMED = 3
"""Maximum number of steps in a thought's name; `+2` stands for two more."""
PROVIDERS = {"llamacpp": "llama.cpp", "gguf": "llama.cpp", "mistralai": "mistral_ai"}
"""Provider names used by the conventions, or by the servers, where they differ from ours."""


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
    """Return what a thought did: its steps, or the node where it ended when it took none.

    Steps are listed once each, in order, with their number: `say ×4`.
    """
    if not steps:
        return "failed" if failed else (path[-1] if path else "nothing")
    told = [step if n == 1 else f"{step} ×{n}" for step, n in Counter(steps).items()]
    more = len(told) - MOST_NAMED
    return ", ".join(told[:MOST_NAMED]) + (f" +{more}" if more > 0 else "")


def worst(outcomes: Iterable[str]) -> str:
    """Return the worst of the outcomes (`failed` is the worst of all); empty without any."""
    return max(filter(None, outcomes), key=(*OUTCOMES, "failed").index, default="")


def odd_tags(kinds: Iterable[str]) -> tuple[str, ...]:
    """Return a tag for each kind of oddity: `odd: hours`."""
    return tuple(f"odd: {kind}" for kind in dict.fromkeys(kinds))


def model_of(spec: str) -> tuple[str, str]:
    """Return the provider and the model name of a spec: `ollama`, `mistral`.

    A chat constructed by a program may have any spec.
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
