"""Read the one string that names a chat model."""

import difflib
from dataclasses import dataclass
from typing import Literal, cast

from models.errors import SpecError

Kind = Literal["ollama", "llamacpp", "langchain", "standin"]

LLAMACPP_URL = "http://127.0.0.1:8080"
"""Where llama.cpp's server listens unless told otherwise."""

FORMS: dict[str, str] = {
    "ollama": "ollama:<name>",
    "llamacpp": "llamacpp:<url>",
    "langchain": "langchain:<provider>/<model>",
    "standin": "standin",
}
"""Every kind of spec, and how it is written."""

WAYS = "ollama:<name>, llamacpp:<url>, langchain:<provider>/<model> or standin"

PROVIDERS = ("openai", "anthropic", "google_genai", "mistralai", "groq", "deepseek", "bedrock")
"""Names that people write in front of a hosted model; used for a hint only."""


@dataclass(frozen=True)
class Spec:
    """A model spec, read."""

    kind: Kind
    target: str = ""
    """The model's name (`ollama`), the server's URL (`llamacpp`), provider/model (`langchain`)."""
    options: tuple[tuple[str, str], ...] = ()
    """What follows `standin:`, or `?` after an Ollama model, as pairs in the order given."""

    def __str__(self) -> str:
        """Write the spec so that `parse_spec` reads it back as itself."""
        pairs = ",".join(f"{key}={value}" for key, value in self.options)
        rest = "?".join(part for part in (self.target, pairs) if part)
        return f"{self.kind}:{rest}" if rest else self.kind


def parse_spec(text: str) -> Spec:
    """Return the spec that `text` writes; SpecError says what is possible otherwise."""
    kind, _, rest = text.strip().partition(":")
    rest = rest.strip()
    if kind not in FORMS:
        raise SpecError(_unknown_kind(text.strip()))
    if kind == "standin":
        return Spec("standin", options=_options(text, rest))
    if kind == "llamacpp":
        return Spec("llamacpp", target=server_url(rest or LLAMACPP_URL, spec=text))
    if not rest:
        raise SpecError(f"The model spec {text!r} names no model: write {FORMS[kind]}.")
    if kind == "langchain":
        _check_provider(text, rest)
    if kind == "ollama":
        name, _, asked = rest.partition("?")
        return Spec("ollama", target=name.strip(), options=_ollama_options(text, asked))
    return Spec(cast(Kind, kind), target=rest)


def server_url(address: str, *, spec: str) -> str:
    """Return the address as `scheme://host[:port][/path]`, without a trailing slash or `/v1`."""
    url = address if "://" in address else f"http://{address}"
    scheme, _, rest = url.partition("://")
    if scheme not in ("http", "https") or not rest.strip("/") or " " in rest:
        raise SpecError(
            f"The model spec {spec!r} needs the address of a llama.cpp server, "
            f"for example llamacpp:{LLAMACPP_URL}."
        )
    return url.rstrip("/").removesuffix("/v1").rstrip("/")


def _options(text: str, rest: str) -> tuple[tuple[str, str], ...]:
    """Return the `k=v` pairs after `standin:`."""
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


def _ollama_options(text: str, rest: str) -> tuple[tuple[str, str], ...]:
    """Return the setting after `?` of an Ollama model: its context, in tokens."""
    pairs = _options(text, rest)
    for key, value in pairs:
        if key != "num_ctx" or not value.isdecimal() or int(value) < 1:
            raise SpecError(
                f"The model spec {text!r} has {key}={value} where only num_ctx=<tokens> can stand, "
                "for example ollama:mistral?num_ctx=16384."
            )
    return pairs


def _check_provider(text: str, rest: str) -> None:
    """Raise unless `rest` is provider/model with a provider that is not served natively."""
    provider, slash, model = rest.partition("/")
    if not slash or not provider or not model:
        raise SpecError(
            f"The model spec {text!r} needs a provider and a model: write {FORMS['langchain']}, "
            "for example langchain:openai/gpt-4o-mini."
        )
    if provider == "ollama":
        raise SpecError(f"Write ollama:{model} instead of {text!r}: Ollama is asked natively here.")


def _unknown_kind(text: str) -> str:
    """Return the sentence for a spec of a kind that does not exist."""
    if not text:
        return f"The model spec is empty: write {WAYS}."
    return f"The model spec {text!r} cannot be read: write {WAYS}. Did you mean {_nearest(text)}?"


def _nearest(text: str) -> str:
    """Return the spec that the writer of `text` most likely meant."""
    kind, _, rest = text.partition(":")
    near = difflib.get_close_matches(kind.lower(), FORMS, n=1, cutoff=0.8)
    if near:
        return f"{near[0]}{text[len(kind) :]}"
    if rest.startswith("//"):
        return f"llamacpp:{text}"
    if kind in PROVIDERS and rest:
        return f"langchain:{kind}/{rest}"
    return f"ollama:{text}"
