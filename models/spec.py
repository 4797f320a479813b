"""Specs: strings that name the model or the embedder to use. Those of models are parsed here."""

import difflib
import re
from dataclasses import dataclass
from typing import Literal, cast

from smolville.models.errors import SpecError
from smolville.models.servers.address import (
    LLAMACPP_URL,
    compatible_address,
    llamacpp_address,
    ollama_url,
)

Kind = Literal[
    "ollama", "llamacpp", "gguf", "openai", "langchain", "community", "standin",
    "wordllama", "words", "minilm",
]  # fmt: skip
"""Every kind of model; the last three are embedders."""

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
COUNTS: dict[str, tuple[str, ...]] = {
    "ollama": ("num_ctx", "slots"),
    "openai": ("num_ctx", "slots"),
    "gguf": ("num_ctx", "slots", "threads", "gpu_layers"),
}
"""Settings of each kind that are whole numbers; only `gpu_layers` may be 0."""
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

Pairs = tuple[tuple[str, str], ...]
"""Settings in the given order."""


@dataclass(frozen=True)
class Spec:
    """A parsed spec of a model or an embedder."""

    kind: Kind
    target: str = ""
    """The model's name (`ollama`), the server's URL (`llamacpp`), the file (`gguf`), `url#name`
    (`openai`), provider/model (`langchain`), the class (`community`), the folder (`minilm`)."""
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


def parse_spec(text: str) -> Spec:
    """Return the parsed spec. Raises SpecError with the possible forms."""
    refuse_secrets(text)
    word, _, rest = text.strip().partition(":")
    if word not in FORMS:
        meant = f" Did you mean {_nearest(text.strip())}?" if text.strip() else ""
        raise SpecError(f"The model spec {text!r} cannot be read: write {WAYS}.{meant}")
    kind = cast(Kind, word)
    if kind == "standin":
        return Spec("standin", options=_read_pairs(text, rest))
    rest = rest.strip()
    target, _, asked = rest.partition("?")
    if kind == "llamacpp":
        return Spec(kind, _needed(text, kind, llamacpp_address(rest or LLAMACPP_URL)))
    if not target.strip():
        raise SpecError(f"The model spec {text!r} names no model: write {FORMS[kind]}.")
    if kind == "langchain":
        return Spec(kind, _provided(text, rest))
    if kind == "openai":
        address, _, name = target.partition("#")
        target = _needed(text, kind, compatible_address(address.strip()))
        target += f"#{name.strip()}" if name.strip() else ""
    if kind == "ollama" and "://" in target:
        raise SpecError(
            f"The model spec {text!r} has an address where a model's name belongs: write "
            "ollama:<name>?host=<address>, or where Ollama listens into OLLAMA_HOST."
        )
    return Spec(kind, target.strip(), _read_settings(text, kind, _read_pairs(text, asked)))


def _provided(text: str, rest: str) -> str:
    provider, _, model = rest.partition("/")
    if not provider or not model:
        raise SpecError(f"The model spec {text!r} needs both: write {FORMS['langchain']}.")
    if provider == "ollama":
        raise SpecError(f"Write ollama:{model} instead: Ollama is asked natively here.")
    return rest


def _needed(text: str, kind: Kind, url: str | None) -> str:
    if url is None:
        raise SpecError(
            f"The model spec {text!r} needs a server's address: write {FORMS[kind]}, with http:// "
            "or https://."
        )
    return url


def _read_pairs(text: str, rest: str) -> Pairs:
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


def _read_settings(text: str, kind: Kind, pairs: Pairs) -> Pairs:
    """Return a server's settings: whole numbers, and Ollama's host as `host:port` or a URL.

    A class of langchain-community has settings of its own.
    """
    if kind == "community":
        return pairs
    known, read = COUNTS[kind], []
    for key, value in pairs:
        if kind == "ollama" and key == "host":
            value = ollama_url(value).removeprefix("http://")
        elif key not in known or not value.isdecimal() or not (int(value) or key == "gpu_layers"):
            possible = ", ".join(f"{name}=<number>" for name in known)
            raise SpecError(
                f"The model spec {text!r} has {key}={value} where only {possible} can stand."
            )
        read.append((key, value))
    return tuple(sorted(read, key=lambda pair: pair[0] != "host"))


def _nearest(text: str) -> str:
    kind, _, rest = text.partition(":")
    if near := difflib.get_close_matches(kind.lower(), FORMS, n=1, cutoff=0.8):
        return f"{near[0]}{text[len(kind) :]}"
    if rest.startswith("//"):
        return f"openai:{text}" if "/v1" in rest else f"llamacpp:{text}"
    return f"gguf:{text}" if text.lower().endswith(".gguf") else f"ollama:{text}"


def refuse_secrets(text: str, what: str = "The model spec") -> None:
    """Raise SpecError, without repeating the secret, when a spec contains a key or a password."""
    if KEY.search(text) or LOGIN.search(text):
        raise SpecError(
            f"{what} holds a key or a password. Specs are stored and shown, so take it out "
            f"and set it in the environment ({VARIABLES})."
        )
