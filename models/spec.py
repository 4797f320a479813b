"""Read a model spec: one string that names what answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from models.errors import SpecError
from models.specs.addresses import compatible_url, server_url
from models.specs.forms import FORMS, LLAMACPP_URL, Kind
from models.specs.nearest import unknown_kind
from models.specs.options import read_counts, read_pairs
from models.specs.secrets import refuse_secrets

__all__ = ["FORMS", "LLAMACPP_URL", "Kind", "Spec", "parse_spec"]


@dataclass(frozen=True)
class Spec:
    """A model spec, read."""

    kind: Kind
    target: str = ""
    """The model's name (`ollama`), the server's URL (`llamacpp`), the file (`gguf`), `url#name`
    (`openai`), provider/model (`langchain`), the class (`community`)."""
    options: tuple[tuple[str, str], ...] = ()
    """What follows `standin:`, or `?` after the target, as pairs in the order given."""

    def __str__(self) -> str:
        """Write the spec so that `parse_spec` reads it back as itself."""
        pairs = ",".join(f"{key}={value}" for key, value in self.options)
        rest = "?".join(part for part in (self.target, pairs) if part)
        return f"{self.kind}:{rest}" if rest else self.kind


def parse_spec(text: str) -> Spec:
    """Return the spec that `text` writes; SpecError says what is possible otherwise."""
    refuse_secrets(text)
    word, _, rest = text.strip().partition(":")
    rest = rest.strip()
    if word not in FORMS:
        raise SpecError(unknown_kind(text.strip()))
    kind = cast(Kind, word)
    if kind == "standin":
        return Spec("standin", options=read_pairs(text, rest))
    if kind == "llamacpp":
        return Spec("llamacpp", target=server_url(rest or LLAMACPP_URL, spec=text))
    if not rest.partition("?")[0].strip():
        raise SpecError(f"The model spec {text!r} names no model: write {FORMS[kind]}.")
    return READERS[kind](text, kind, rest)


def _read_counted(text: str, kind: Kind, rest: str) -> Spec:
    """Return a spec whose settings are counts."""
    target, _, asked = rest.partition("?")
    if kind == "ollama" and "://" in target:
        raise SpecError(
            f"The model spec {text!r} has an address where a model's name belongs: write "
            "ollama:<name>, and where Ollama listens into OLLAMA_HOST."
        )
    return Spec(kind, target=target.strip(), options=read_counts(text, kind, asked))


def _read_openai(text: str, kind: Kind, rest: str) -> Spec:
    """Return the spec of a compatible server."""
    target, _, asked = rest.partition("?")
    url = compatible_url(target.strip(), spec=text)
    return Spec(kind, target=url, options=read_counts(text, kind, asked))


def _read_langchain(text: str, kind: Kind, rest: str) -> Spec:
    """Return provider/model, with a provider that is not served natively."""
    provider, slash, model = rest.partition("/")
    if not slash or not provider or not model:
        raise SpecError(
            f"The model spec {text!r} needs a provider and a model: write {FORMS['langchain']}, "
            "for example langchain:openai/gpt-4o-mini."
        )
    if provider == "ollama":
        raise SpecError(f"Write ollama:{model} instead of {text!r}: Ollama is asked natively here.")
    return Spec(kind, target=rest)


def _read_community(text: str, kind: Kind, rest: str) -> Spec:
    """Return a class of langchain-community and its settings."""
    name, _, asked = rest.partition("?")
    if not name.strip().isidentifier():
        raise SpecError(
            f"The model spec {text!r} needs the name of a class: write {FORMS['community']}, "
            "for example community:ChatMLX."
        )
    return Spec(kind, target=name.strip(), options=read_pairs(text, asked))


READERS: dict[str, Callable[[str, Kind, str], Spec]] = {
    "ollama": _read_counted,
    "gguf": _read_counted,
    "openai": _read_openai,
    "langchain": _read_langchain,
    "community": _read_community,
}
