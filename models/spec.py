"""Specs: strings that name the model or the embedder to use. Those of models are parsed here."""

import difflib
import re
from dataclasses import dataclass
from typing import Literal, cast

from smolville.models.errors import SpecError
from smolville.models.servers.address import LLAMACPP_URL, compatible_url, ollama_url, server_url

Kind = Literal["ollama", "llamacpp", "gguf", "openai", "langchain", "community", "standin"]
EmbedderKind = Literal["wordllama", "words", "minilm", "ollama", "llamacpp", "openai"]

FORMS: dict[str, str] = {
    "ollama": "ollama:<name>",
    "llamacpp": "llamacpp:<url>",
    "gguf": "gguf:<path/to/model.gguf>",
    "openai": "openai:<url>#<name>",
    "langchain": "langchain:<provider>/<model>",
    "community": "community:<ClassName>?<key>=<value>",
    "standin": "standin",
}
"""Every kind of spec, with its form."""
WAYS = f"{', '.join(list(FORMS.values())[:-1])} or standin"
PROVIDERS = ("openai", "azure_openai", "anthropic", "google_genai", "mistralai", "groq", "bedrock")
"""Names that people write before a hosted model; used for a hint only."""
OTHER_NAMES = {"vllm": "openai", "lmstudio": "openai", "lm-studio": "openai", "mlx": "community"}
"""Other words for a kind that are too different from its name to be recognised as typing errors."""

Pairs = tuple[tuple[str, str], ...]
"""Settings in the given order."""

COUNTS: dict[str, dict[str, str]] = {
    "ollama": {"num_ctx": "tokens", "slots": "calls at once"},
    "openai": {"num_ctx": "tokens", "slots": "calls at once"},
    "gguf": {
        "num_ctx": "tokens of one slot",
        "slots": "calls at once",
        "threads": "processor threads",
        "gpu_layers": "layers",
    },
}
"""Settings of each kind that are whole numbers, and what they count."""
MAY_BE_ZERO = frozenset({"gpu_layers"})
EXAMPLES = {
    "ollama": "ollama:mistral?num_ctx=16384",
    "openai": "openai:http://127.0.0.1:8000/v1#name?slots=8",
    "gguf": "gguf:model.gguf?num_ctx=8192,slots=4",
}


def read_pairs(text: str, rest: str) -> Pairs:
    """Return the `name=value` pairs in `rest`, a part of the spec `text`."""
    pairs = []
    for item in filter(None, (part.strip() for part in rest.split(","))):
        key, _, value = item.partition("=")
        if not key.strip() or not value.strip():
            raise SpecError(
                f"The model spec {text!r} has {item!r} where a setting belongs: "
                "write name=value,name=value."
            )
        pairs.append((key.strip(), value.strip()))
    return tuple(pairs)


def _read_counts(text: str, kind: Kind, pairs: Pairs) -> Pairs:
    """Return the settings of a kind whose settings are whole numbers, if they can be its own."""
    known = COUNTS[kind]
    for key, value in pairs:
        is_count = value.isdecimal() and (int(value) > 0 or key in MAY_BE_ZERO)
        if key not in known or not is_count:
            possible = ", ".join(f"{name}=<{unit}>" for name, unit in known.items())
            raise SpecError(
                f"The model spec {text!r} has {key}={value} where only {possible} can stand, "
                f"for example {EXAMPLES[kind]}."
            )
    return pairs


LOGIN = re.compile(
    r"//[^/?#\s]*@|:[^\s:/@?#]+:[^\s/@]+@(?!sha256:)|:[^\s:/@?#]+@(?!sha256:)[^\s:/@]+:\d"
)
"""`user:password@host`; a model's digest (`name:tag@sha256:...`) does not match."""
KEY = re.compile(
    r"(?i)(?:key|token|secret|passwo?r?d|passphrase|bearer|credentials?|authorization)\s*="
    r"|\b(?:[spr]k-[\w-]{16,}|(?:hf|gsk|ghp)_\w{16,})"
)
"""A setting named like a key, or a text that looks like one; `max_tokens=` does not match."""
VARIABLES = "OPENAI_API_KEY, LLAMA_API_KEY or SMOLVILLE_API_KEY"
"""Variables with the keys of servers; a vendor's class reads its own variable."""


@dataclass(frozen=True)
class Spec:
    """A parsed model spec."""

    kind: Kind
    target: str = ""
    """The model's name (`ollama`), the server's URL (`llamacpp`), the file (`gguf`), `url#name`
    (`openai`), provider/model (`langchain`), the class (`community`)."""
    options: Pairs = ()
    """The part after `standin:`, or after `?`, as pairs in the given order."""

    def __str__(self) -> str:
        """Return the spec as text, which `parse_spec` turns back into the same spec."""
        pairs = ",".join(f"{key}={value}" for key, value in self.options)
        rest = "?".join(part for part in (self.target, pairs) if part)
        return f"{self.kind}:{rest}" if rest else self.kind

    @property
    def host(self) -> str:
        """The address of the Ollama server that the spec names, `host:port` or a URL; or empty."""
        return dict(self.options).get("host", "") if self.kind == "ollama" else ""

    def count(self, name: str, otherwise: int) -> int:
        """Return the value of an option that is a count."""
        return int(dict(self.options).get(name, otherwise))


@dataclass(frozen=True)
class EmbedderSpec:
    """A parsed embedder spec."""

    kind: EmbedderKind
    target: str = ""
    """The model's name (`ollama`), the server's address (`llamacpp`, `openai`), or a folder."""
    model: str = ""
    """The model's name on an OpenAI-like server."""

    def __str__(self) -> str:
        """Return the spec as text, which `parse_embedder` reads as the same spec in any folder."""
        rest = f"{self.target}#{self.model}" if self.model else self.target
        return f"{self.kind}:{rest}" if rest else self.kind


def parse_spec(text: str) -> Spec:
    """Return the parsed spec. Raises SpecError with the possible forms."""
    refuse_secrets(text)
    word, _, rest = text.strip().partition(":")
    rest = rest.strip()
    if word not in FORMS:
        raise SpecError(_unknown_kind(text.strip()))
    kind = cast(Kind, word)
    if kind == "standin":
        return Spec("standin", options=read_pairs(text, rest))
    if kind == "llamacpp":
        return Spec("llamacpp", target=server_url(rest or LLAMACPP_URL, spec=text))
    if not rest.partition("?")[0].strip():
        raise SpecError(f"The model spec {text!r} names no model: write {FORMS[kind]}.")
    return _langchain(text, rest) if kind == "langchain" else _with_settings(text, kind, rest)


def _with_settings(text: str, kind: Kind, rest: str) -> Spec:
    target, _, asked = rest.partition("?")
    target = target.strip()
    pairs = read_pairs(text, asked)
    if kind == "ollama":
        return _ollama(text, target, pairs)
    if kind == "community":
        if not target.isidentifier():
            raise SpecError(
                f"The model spec {text!r} needs the name of a class: write {FORMS['community']}, "
                "for example community:ChatMLX."
            )
        return Spec(kind, target, pairs)
    target = compatible_url(target, spec=text) if kind == "openai" else target
    return Spec(kind, target, _read_counts(text, kind, pairs))


def _ollama(text: str, name: str, pairs: Pairs) -> Spec:
    if "://" in name:
        raise SpecError(
            f"The model spec {text!r} has an address where a model's name belongs: write "
            "ollama:<name>?host=<address>, or where Ollama listens into OLLAMA_HOST."
        )
    host: Pairs = ()
    if address := dict(pairs).get("host"):
        try:
            host = (("host", ollama_url(address).removeprefix("http://")),)
        except SpecError:
            raise SpecError(
                f"The model spec {text!r} has host={address} where an address belongs: write host, "
                "host:port or a URL, for example ollama:mistral?host=192.168.1.5."
            ) from None
    counts = _read_counts(text, "ollama", tuple(pair for pair in pairs if pair[0] != "host"))
    return Spec("ollama", name, (*host, *counts))


def _langchain(text: str, rest: str) -> Spec:
    provider, _, model = rest.partition("/")
    if not provider or not model:
        raise SpecError(
            f"The model spec {text!r} needs a provider and a model: write {FORMS['langchain']}, "
            "for example langchain:openai/gpt-4o-mini."
        )
    if provider == "ollama":
        raise SpecError(f"Write ollama:{model} instead of {text!r}: Ollama is asked natively here.")
    return Spec("langchain", rest)


def _unknown_kind(text: str) -> str:
    if not text:
        return f"The model spec is empty: write {WAYS}."
    return f"The model spec {text!r} cannot be read: write {WAYS}. Did you mean {_nearest(text)}?"


def _nearest(text: str) -> str:
    kind, _, rest = text.partition(":")
    near = difflib.get_close_matches(kind.lower(), FORMS, n=1, cutoff=0.8)
    if near:
        return f"{near[0]}{text[len(kind) :]}"
    if kind.lower() in OTHER_NAMES:
        return f"{OTHER_NAMES[kind.lower()]}:{rest}"
    if rest.startswith("//"):
        return f"openai:{text}" if "/v1" in rest else f"llamacpp:{text}"
    if text.partition("?")[0].lower().endswith(".gguf"):
        return f"gguf:{text}"
    if kind in PROVIDERS and rest:
        return f"langchain:{kind}/{rest}"
    return f"community:{text}" if text.startswith("Chat") else f"ollama:{text}"


def refuse_secrets(text: str, what: str = "The model spec") -> None:
    """Raise SpecError, without repeating the secret, when a spec contains a key or a password."""
    if KEY.search(text) or LOGIN.search(text):
        raise SpecError(
            f"{what} holds a key or a password. Specs are stored and shown, so take it out "
            f"and set it in the environment ({VARIABLES})."
        )
