"""Embedders, which turn texts into vectors: their interface, their specs, and how to open one."""

import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from smolville.models.errors import ModelError, SpecError
from smolville.models.keys import MaySend, check_keys, forbid_all
from smolville.models.servers.address import LLAMACPP_URL, compatible_address, llamacpp_address
from smolville.models.spec import Kind, Spec, parse_spec, refuse_secrets

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


FORMS: dict[str, str] = {
    "wordllama": "wordllama",
    "words": "words (both built in)",
    "minilm": "minilm[:<folder>]",
    "ollama": "ollama:<name>",
    "llamacpp": "llamacpp:<url>",
    "openai": "openai:<url>/v1#<name>",
}
"""Every kind of embedder, with the form of its spec."""
BUILT_IN = "wordllama"
"""The default embedder, which compares memories by meaning without a server."""
QUICK = frozenset({"wordllama", "words"})
"""Embedders that take microseconds per text and need no server; their specs have no target."""
WAYS = f"{', '.join(list(FORMS.values())[:-1])} or {FORMS['openai']}"


def parse_embedder(text: str) -> Spec:
    """Return the parsed spec. Raises SpecError with the possible forms."""
    text = text.strip()
    kind, colon, rest = text.partition(":")
    rest = rest.strip()
    refuse_secrets(text, "The embedder's spec")
    if kind not in FORMS or (kind in QUICK and colon):
        near = difflib.get_close_matches(kind.lower(), FORMS, n=1, cutoff=0.6)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise SpecError(f"The embedder {text!r} is unknown: write {WAYS}.{meant}")
    if kind == "minilm":
        return Spec("minilm", str(Path(rest).expanduser().absolute()) if rest else "")
    if kind == "llamacpp":
        return Spec("llamacpp", _address(text, llamacpp_address(rest or LLAMACPP_URL)))
    if kind == "openai":
        return _openai(text, rest)
    if kind == "ollama" and not rest:
        raise SpecError(f"The embedder {text!r} names no model: write {FORMS[kind]}.")
    return Spec(cast(Kind, kind), rest)


def _openai(text: str, rest: str) -> Spec:
    where, _, model = rest.partition("#")
    if not where.strip() or not model.strip():
        raise SpecError(
            f"The embedder {text!r} needs an address and a model: write {FORMS['openai']}, "
            "for example openai:http://127.0.0.1:1234/v1#nomic-embed-text."
        )
    url = _address(text, compatible_address(where.strip()))
    return Spec("openai", f"{url}#{model.strip()}")


def _address(text: str, url: str | None) -> str:
    if url is None:
        kind = text.partition(":")[0]
        raise SpecError(
            f"The embedder {text!r} needs the address of a server: write {FORMS[kind]}."
        )
    return url


class Embedder(Protocol):
    """Turns texts into vectors; the same text gives the same vector."""

    @property
    def name(self) -> str:
        """The spec that opens it again; stored with every store of vectors."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return the vectors of texts, one row per text: shape (len(texts), dimension)."""
        ...


def open_embedder(
    spec: str = BUILT_IN, *, env: Mapping[str, str] | None = None, may_send: MaySend = forbid_all
) -> Embedder:
    """Return the embedder of a spec. Raises ModelError.

    `may_send` decides whether keys go to the server of a spec that is not a `UserSpec`.
    """
    read = parse_embedder(spec)
    around = os.environ if env is None else env
    check_keys(spec, read, around, may_send)
    if read.kind in ("ollama", "llamacpp", "openai"):
        from smolville.models.embedding.served import open_compatible, open_ollama

        is_ollama = read.kind == "ollama"
        return open_ollama(read.target, around) if is_ollama else open_compatible(read, around)
    if read.kind == "minilm":
        from smolville.models.embedding.minilm import MiniLM

        return MiniLM(read)
    if read.kind == "wordllama":
        from smolville.models.embedding.wordllama import WordLlama

        return WordLlama()
    from smolville.models.embedding.words import HashedWords

    return HashedWords()


def find_embedder(specs: Iterable[str], env: Mapping[str, str]) -> tuple[Embedder, str]:
    """Return an embedder for a run with these model specs, and one line on why it was chosen.

    It is the newest embedding model of a reachable Ollama, else the built-in one, or `words` if the
    package of the built-in one is not installed. Raises ModelError if the package is damaged.
    """
    from smolville.models.servers.ollama import PROBE_SECONDS, OllamaServer, is_remote

    why = "built in"
    if any(parse_spec(spec).kind == "ollama" for spec in specs):
        server = OllamaServer.of(env, timeout=PROBE_SECONDS)
        try:
            for one in server.models():
                if one.embeds and not is_remote(one.name):
                    return open_embedder(f"ollama:{one.name}", env=env), f"{server.name} has it"
            why = f"built in; {server.name} has no embedding model"
        except ModelError as error:
            why = f"built in; {str(error).rstrip('.')}"
    from smolville.models.embedding.wordllama import package_folder

    if package_folder() is None:
        return open_embedder("words"), f"{why}; the package {BUILT_IN} is not installed"
    return open_embedder(BUILT_IN), why


def words_embedder_spec() -> str:
    """Return the spec of the embedder that compares keywords: `wordllama`, or else `words`.

    It is `words` if the package or the files of the word vectors are missing or damaged.
    """
    try:
        return open_embedder(BUILT_IN).name
    except ModelError:
        return "words"
