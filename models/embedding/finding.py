"""Choose the embedder of a new run if none was specified."""

from collections.abc import Iterable, Mapping

from models.embedding.embedder import BUILT_IN, Embedder, open_embedder
from models.errors import ModelError
from models.servers.ollama import PROBE_SECONDS, OllamaServer
from models.spec import parse_spec


def find_embedder(specs: Iterable[str], env: Mapping[str, str]) -> tuple[Embedder, str]:
    """Return an embedder for a run with these model specs, and one line on why it was chosen.

    It is the newest embedding model of a reachable Ollama, else the built-in one, or `words` if the
    package of that one is not installed. Raises ModelError if the package is damaged.
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
    """Return an embedder that needs no server."""
    from models.embedding.wordllama import package_folder

    if package_folder() is None:
        return open_embedder("words"), f"{why}; the package {BUILT_IN} is not installed"
    return open_embedder(BUILT_IN), why
