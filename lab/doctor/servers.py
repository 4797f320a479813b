"""The models that this machine offers: on Ollama, on llama.cpp's server, and in files."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from smolville.models.errors import ModelError, SpecError, is_passing
from smolville.models.keys import KEYS, key_for
from smolville.models.open import parameters_in
from smolville.models.pacing import ask_blocking
from smolville.models.servers.gguf import check_gguf
from smolville.models.servers.llamacpp import LlamaCppServer, quantization_of
from smolville.models.servers.ollama import OllamaServer, ServedModel
from smolville.models.spec import Spec

SECONDS = 3.0
"""Seconds within which a server must answer, and for which one with a passing error is retried."""
ODD = (ModelError, ValueError, TypeError, AttributeError)
"""Errors that clients may raise when a server sends an unexpected answer."""
MOST_FILES, DEPTH = 12, 4
"""Maximum number of model files returned, and their maximum depth below a folder."""
_LATER_PART = re.compile(r"-0*(?:[2-9]|[1-9]\d+)-of-\d+$")
"""End of the name of a split model's second or later file; only the first file is listed."""


@dataclass(frozen=True, kw_only=True)
class ServerSeen:
    """A server that was looked for, and what it reports about itself."""

    kind: Literal["ollama", "llamacpp"]
    url: str
    answers: bool
    slots: int | None = None
    num_ctx: int | None = None
    """Context of one slot in tokens, if the server sets it (llama.cpp)."""
    models: tuple[ServedModel, ...] = ()
    problem: str = ""
    may_pass: bool = False
    """Whether the server is there and may answer later."""


def look_at_ollama(env: Mapping[str, str]) -> ServerSeen:
    """Return what Ollama reports about itself, at the address given by the environment."""
    server = OllamaServer.of(env, timeout=SECONDS)
    try:
        models = tuple(ask_blocking(server.models, patience_seconds=SECONDS, refused_seconds=0))
    except ODD as error:
        return _not_seen("ollama", server.url, error)
    return ServerSeen(kind="ollama", url=server.url, answers=True, models=models)


def look_at_llamacpp(url: str, env: Mapping[str, str]) -> ServerSeen:
    """Return what llama.cpp's server reports about itself and the one model it has loaded."""
    server = LlamaCppServer(url, timeout=SECONDS, key=key_for(KEYS["llamacpp"], env))
    try:
        facts = ask_blocking(server.facts, patience_seconds=SECONDS, refused_seconds=0)
    except ODD as error:
        return _not_seen("llamacpp", url, error)
    return ServerSeen(
        kind="llamacpp",
        url=url,
        answers=True,
        slots=facts.slots,
        num_ctx=facts.num_ctx,
        models=(facts.model,),
    )


def _not_seen(kind: Literal["ollama", "llamacpp"], url: str, error: Exception) -> ServerSeen:
    problem, passing = str(error), is_passing(error)
    return ServerSeen(kind=kind, url=url, answers=False, problem=problem, may_pass=passing)


@dataclass(frozen=True, kw_only=True)
class LocalModel:
    """A chat model in a file."""

    path: Path
    parameters: str
    """Number of parameters, such as `3.2B`, and the quantisation, as the file's name gives them."""
    quantization: str

    @property
    def spec(self) -> str:
        """The spec that opens the model; the opened chat reports the same spec."""
        return str(Spec("gguf", str(self.path)))


def can_open_files() -> bool:
    """Return whether the package that serves GGUF files is installed."""
    return find_spec("xllamacpp") is not None


def model_folders(env: Mapping[str, str], here: Path) -> tuple[Path, ...]:
    """Return the folders to search: the working folder, and folders where programs keep models."""
    home = Path(env.get("HOME") or Path.home())
    cache = Path(env.get("XDG_CACHE_HOME") or home / ".cache")
    kept = (cache / "smolville", cache / "llama.cpp", home / "models", home / ".lmstudio/models")
    return (here, *kept)


def find_local_models(folders: Iterable[Path]) -> list[LocalModel]:
    """Return the chat models in these folders, smallest first; other files are passed over."""
    found: dict[Path, int] = {}
    for path in _list_files(folders):
        try:
            check_gguf(path)
            found[path] = path.stat().st_size
        except (SpecError, OSError):
            continue
        if len(found) == MOST_FILES:
            break
    return [
        LocalModel(
            path=path, parameters=parameters_in(path.stem), quantization=quantization_of(path.name)
        )
        for path in sorted(found, key=lambda path: (found[path], str(path)))
    ]


def _list_files(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the GGUF files of the folders, each once, without hidden folders below them."""
    seen: set[Path] = set()
    for folder in folders:
        for place, below, names in os.walk(folder):
            depth = len(Path(place).relative_to(folder).parts)
            below[:] = sorted(name for name in below if name[0] != "." and depth < DEPTH - 1)
            for path in (Path(place, name) for name in sorted(names)):
                is_model = path.suffix == ".gguf" and not _LATER_PART.search(path.stem)
                if is_model and (real := path.resolve()) not in seen:
                    seen.add(real)
                    yield real
