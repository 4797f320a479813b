"""Find what compares a new run's memories where nobody has said."""

from collections.abc import Iterable, Mapping

from models.embedding.embedder import BUILT_IN, Embedder, open_embedder
from models.errors import ModelError
from models.servers.ollama import PROBE_SECONDS, OllamaServer
from models.spec import parse_spec


def find_embedder(specs: Iterable[str], env: Mapping[str, str]) -> tuple[Embedder, str]:
    """Return an embedder for a run that these models answer, and one line on why it was taken.

    The newest embedding model of the Ollama that answers, else the one that is built in; `words`
    where the package it comes with is not installed. Raises ModelError for a damaged one.
    """
    why = "built in"
    if any(parse_spec(spec).kind == "ollama" for spec in specs):
        server = OllamaServer.of(env, timeout=PROBE_SECONDS)
        try:
            for name in server.embedding_models():
                return open_embedder(f"ollama:{name}", env=env), f"{server.name} has it"
            why = f"built in; {server.name} has no embedding model"
        except ModelError as error:
            why = f"built in; {str(error).rstrip('.')}"
    return _built_in(why)


def _built_in(why: str) -> tuple[Embedder, str]:
    """Return what needs no server."""
    from models.embedding.wordllama import package_folder

    if package_folder() is None:
        return open_embedder("words"), f"{why}; the package {BUILT_IN} is not installed"
    return open_embedder(BUILT_IN), why
