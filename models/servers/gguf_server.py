"""llama.cpp's server inside this process, from the `xllamacpp` wheel."""

import secrets
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from models.errors import ModelError, SpecError

MAGIC = b"GGUF"
"""The first bytes of every GGUF file."""
SILENT = 0
"""llama.cpp's verbosity: it would write to this process's standard error."""


@dataclass(frozen=True, kw_only=True)
class GgufWish:
    """How the server is to be started."""

    path: Path
    num_ctx: int
    """Context of one slot, in tokens."""
    slots: int
    threads: int | None = None
    """None: as llama.cpp likes, one per processor core."""
    gpu_layers: int | None = None
    """None: as many as fit, with a wheel built for the GPU."""


class GgufServer:
    """A server on a free loopback port that nobody else has the key of."""

    def __init__(self, wish: GgufWish) -> None:
        """Load the model; it listens when this returns. Raises ModelError."""
        check_gguf(wish.path)
        self.key = secrets.token_hex(16)
        self._server: Any = _started(wish, self.key)
        self.url: str = self._server.listening_address

    def stop(self) -> None:
        """End the server and free its memory; it ends with its last reference."""
        self._server = None


def check_gguf(path: Path) -> None:
    """Raise SpecError unless a GGUF file lies there."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise SpecError(f"The model file {str(path)!r} {what}: give the path of a GGUF file.")
    try:
        with path.open("rb") as file:
            begins = file.read(len(MAGIC))
    except OSError as error:
        raise SpecError(
            f"The model file {str(path)!r} cannot be read: {error.strerror}."
        ) from error
    if begins != MAGIC:
        raise SpecError(f"{str(path)!r} is no GGUF file: llama.cpp reads nothing else.")


def _started(wish: GgufWish, key: str) -> Any:
    """Return the running server."""
    try:
        xllamacpp: Any = import_module("xllamacpp")
    except ImportError as error:
        raise SpecError(
            "A gguf: model runs inside this process and needs the package xllamacpp: "
            "install smolville with its extra gguf (smolville[gguf])."
        ) from error
    params = xllamacpp.CommonParams()
    params.model.path = str(wish.path)
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.n_parallel = wish.slots
    params.n_ctx = wish.num_ctx * wish.slots
    params.use_jinja = True
    params.ui = False
    params.verbosity = SILENT
    if wish.threads is not None:
        params.cpuparams.n_threads = wish.threads
        params.cpuparams_batch.n_threads = wish.threads
    if wish.gpu_layers is not None:
        params.n_gpu_layers = wish.gpu_layers
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ModelError(
            f"llama.cpp cannot load {str(wish.path)!r} ({error}): the file may be incomplete, too "
            "new for this version of xllamacpp, or larger than the memory."
        ) from error
