"""Read the settings that follow a `?` in a spec."""

from models.errors import SpecError
from models.specs.forms import Kind

Pairs = tuple[tuple[str, str], ...]
"""Settings in the order given."""

COUNTS: dict[str, dict[str, tuple[str, int]]] = {
    "ollama": {"num_ctx": ("tokens", 1)},
    "openai": {"num_ctx": ("tokens", 1), "slots": ("calls at once", 1)},
    "gguf": {
        "num_ctx": ("tokens of one slot", 1),
        "slots": ("calls at once", 1),
        "threads": ("processor threads", 1),
        "gpu_layers": ("layers", 0),
    },
}
"""Each kind's settings: what is counted, and the least that can be asked for."""
EXAMPLES = {
    "ollama": "ollama:mistral?num_ctx=16384",
    "openai": "openai:http://127.0.0.1:8000/v1#name?slots=8",
    "gguf": "gguf:model.gguf?num_ctx=8192,slots=4",
}


def read_pairs(text: str, rest: str) -> Pairs:
    """Return the `name=value` pairs of `rest`, a part of the spec `text`."""
    pairs = []
    for item in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = item.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise SpecError(
                f"The model spec {text!r} has {item!r} where a setting belongs: "
                "write name=value,name=value."
            )
        pairs.append((key.strip(), value.strip()))
    return tuple(pairs)


def read_counts(text: str, kind: Kind, rest: str) -> Pairs:
    """Return the settings of a kind whose settings are all counts."""
    known = COUNTS[kind]
    pairs = read_pairs(text, rest)
    for key, value in pairs:
        least = known[key][1] if key in known else 0
        if key not in known or not value.isdecimal() or int(value) < least:
            possible = ", ".join(f"{name}=<{unit}>" for name, (unit, _) in known.items())
            raise SpecError(
                f"The model spec {text!r} has {key}={value} where only {possible} can stand, "
                f"for example {EXAMPLES[kind]}."
            )
    return pairs
