"""The process that serves a GGUF file: it needs nothing but the `xllamacpp` wheel.

It reads one line from its standard input, `{"key": KEY, "wish": {...}}` with the fields of
`GgufWish`, loads the model, and answers one line: `{"address": URL}` or `{"error": TEXT}`. It ends
at once when its standard input does, even in the middle of a batch, which llama.cpp itself would
finish first.
"""

import json
import os
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from importlib import import_module
from typing import IO, Any

ERRORS = 1
"""llama.cpp's verbosity level for errors: only its log says why a file cannot be loaded."""
REASON = "error loading model: "
"""Text in llama.cpp's log before the reason why a file cannot be loaded."""


@dataclass(frozen=True, kw_only=True)
class GgufWish:
    """Settings with which the server is started."""

    path: str
    num_ctx: int
    """Context size of one slot, in tokens."""
    slots: int
    """Number of calls that may be in flight."""
    threads: int | None = None
    """Number of threads; None: llama.cpp's default, one per processor core."""
    gpu_layers: int | None = None
    """Layers on the GPU; None: as many as fit, with a wheel built for the GPU."""


def main() -> None:
    """Serve until standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    said = _redirect_output()
    asked = json.loads(sys.stdin.readline())
    # Before the model is loaded, which takes long: the parent may be gone by then.
    lifeline = threading.Thread(target=_end_with_stdin)
    lifeline.start()
    try:
        server = _start_server(GgufWish(**asked["wish"]), asked["key"])
    except RuntimeError as error:
        _answer(answers, error=_reason(said) or str(error).rstrip("."))
        os._exit(1)
    _be_silent()
    _answer(answers, address=server.listening_address)
    lifeline.join()


def _redirect_output() -> IO[bytes]:
    said = tempfile.TemporaryFile()  # noqa: SIM115 - kept as long as the process lives
    for stream in (1, 2):
        os.dup2(said.fileno(), stream)
    return said


def _reason(said: IO[bytes]) -> str:
    """Return llama.cpp's reason why it could not load the file; empty if it gives none.

    Its log is written by a thread of its own, which may be a moment late.
    """
    for _ in range(20):
        lines = os.pread(said.fileno(), 1 << 20, 0).decode(errors="replace").splitlines()
        found = [line.partition(REASON)[2].strip() for line in lines if REASON in line]
        if found:
            return found[0]
        time.sleep(0.05)
    return ""


def _be_silent() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)


def _end_with_stdin() -> None:
    sys.stdin.read()
    os._exit(0)


def _answer(answers: Any, **told: str) -> None:
    with answers:
        answers.write(json.dumps(told) + "\n")


def _start_server(wish: GgufWish, key: str) -> Any:
    xllamacpp: Any = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = wish.path
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.n_parallel = wish.slots
    params.n_ctx = wish.num_ctx * params.n_parallel
    params.use_jinja = True
    params.ui = False
    params.verbosity = ERRORS
    if wish.threads is not None:
        params.cpuparams.n_threads = wish.threads
        params.cpuparams_batch.n_threads = wish.threads
    if wish.gpu_layers is not None:
        params.n_gpu_layers = wish.gpu_layers
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
