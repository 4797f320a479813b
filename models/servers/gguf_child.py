"""The process in which a GGUF file is served: it needs nothing but the `xllamacpp` wheel.

It reads one line from its standard input, `{"key": KEY, "wish": {...}}` with the fields of
`GgufWish`, loads the model, and answers one line: `{"address": URL}` or `{"error": TEXT}`. It ends
at once when its standard input does, also in the middle of a batch, which llama.cpp itself would
finish first.
"""

import json
import os
import sys
import threading
from dataclasses import dataclass
from importlib import import_module
from typing import Any

SILENT = 0
"""llama.cpp's verbosity."""


@dataclass(frozen=True, kw_only=True)
class GgufWish:
    """How the server is to be started."""

    path: str
    num_ctx: int
    """Context of one slot, in tokens."""
    slots: int
    threads: int | None = None
    """None: as llama.cpp likes, one per processor core."""
    gpu_layers: int | None = None
    """None: as many as fit, with a wheel built for the GPU."""


def main() -> None:
    """Serve until standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    _be_silent()
    asked = json.loads(sys.stdin.readline())
    # Before the model is loaded, which takes long: whoever asked may be gone by then.
    lifeline = threading.Thread(target=_end_with_stdin)
    lifeline.start()
    try:
        server = _started(GgufWish(**asked["wish"]), asked["key"])
    except RuntimeError as error:
        _answer(answers, error=str(error))
        os._exit(1)
    _answer(answers, address=server.listening_address)
    lifeline.join()


def _be_silent() -> None:
    """Let nothing that llama.cpp prints stand among the answers."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.close(nothing)


def _end_with_stdin() -> None:
    sys.stdin.read()
    os._exit(0)


def _answer(answers: Any, **told: str) -> None:
    with answers:
        answers.write(json.dumps(told) + "\n")


def _started(wish: GgufWish, key: str) -> Any:
    """Return the running server; RuntimeError when the model cannot be loaded."""
    xllamacpp: Any = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = wish.path
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
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
