"""Connect to a GGUF file, for which a llama.cpp server of the `xllamacpp` wheel is started.

The server runs in a child process, which ends when our own process does. It does not run inside
ours, because llama.cpp finishes the current batch before it can be stopped, which for a long prompt
on a small machine takes half a minute.
"""

import asyncio
import json
import secrets
import subprocess
import sys
import weakref
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path

from smolville.models.chat import Chat
from smolville.models.connecting.llamacpp import chat_with
from smolville.models.errors import ModelError, SpecError
from smolville.models.request import ModelSettings
from smolville.models.servers import gguf_child
from smolville.models.servers.gguf_child import GgufWish
from smolville.models.servers.gguf_file import check_chats, check_gguf
from smolville.models.servers.llamacpp import LlamaCppServer
from smolville.models.size import SHORT_OF_MEANING, is_below
from smolville.models.spec import Spec

GGUF_SLOTS = 2
"""Number of parallel calls, unless the spec gives another number; each slot takes memory for its
own context."""
SPARE_SLOTS = 2
"""Additional slots that a small model's server has besides those of its calls, unless the spec
gives another number.

With as many slots as calls, llama.cpp often overwrites a prompt whose beginning is soon wanted
again (docs/benchmarks.md). A larger model's slots take too much memory for that.
"""
UNKNOWN = "unknown model architecture"
"""Part of llama.cpp's message about a model architecture that it does not support."""
CHILD = Path(gguf_child.__file__)


def connect_gguf(spec: Spec, settings: ModelSettings) -> Chat:
    """Return the chat model of a file; closing the chat stops its server.

    The chat's spec has the full path, so that a run finds its model from any folder.
    """
    path = Path(spec.target).expanduser().resolve()
    asked = dict(spec.options)
    wish = GgufWish(
        path=str(path),
        num_ctx=spec.count("num_ctx", settings.num_ctx),
        slots=spec.count("slots", GGUF_SLOTS),
        spare=int(asked["spare"]) if "spare" in asked else None,
        threads=int(asked["threads"]) if "threads" in asked else None,
        gpu_layers=int(asked["gpu_layers"]) if "gpu_layers" in asked else None,
    )
    started = GgufServer(wish)
    server = LlamaCppServer(started.url, key=started.key)
    server.name = f"llama.cpp with {path.name}"
    try:
        chat = chat_with(server, spec=str(Spec("gguf", str(path), spec.options)), settings=settings)
    except ModelError:
        started.stop()
        raise
    # It finds the slot that knows a prompt's beginning itself, and keeps what it drops for another
    # prompt in memory; told which slot to use, it does neither.
    chat.has_slots = False
    chat.slots = wish.slots
    chat.parameters, chat.quantization = started.file.parameters, started.file.quantization
    close_clients = chat.close

    async def close() -> None:
        if close_clients is not None:
            await close_clients()
        await asyncio.to_thread(started.stop)

    chat.close = close
    return chat


class GgufServer:
    """A server on a free loopback port with a secret key."""

    def __init__(self, wish: GgufWish) -> None:
        """Load the model; the server listens when this returns. Raises ModelError."""
        path = Path(wish.path)
        check_gguf(path)
        if find_spec("xllamacpp") is None:
            raise SpecError(
                "A gguf: model is served by the package xllamacpp: "
                "install smolville with its extra gguf (smolville[gguf])."
            )
        self.file = check_chats(path)
        """The metadata of the model's file."""
        self.key = secrets.token_hex(16)
        if wish.spare is None and is_below(self.file.parameters, SHORT_OF_MEANING):
            wish = replace(wish, spare=SPARE_SLOTS)
        self.process = _begun()
        self.stop = weakref.finalize(self, _end, self.process)
        """Ends the server at once, whatever it is doing, and frees its memory."""
        try:
            self.url = _address(self.process, wish, self.key)
        except BaseException:
            self.stop()
            raise


def _begun() -> "subprocess.Popen[str]":
    """Start the server's process and return it; the process waits to be told what to load."""
    return subprocess.Popen(  # noqa: S603 - our own file, no shell
        [sys.executable, "-P", str(CHILD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        # Ctrl-C at the terminal is for us; the server ends when we have.
        start_new_session=True,
    )


def _address(process: "subprocess.Popen[str]", wish: GgufWish, key: str) -> str:
    """Return the server's URL once the model is loaded. Raises ModelError if that fails."""
    assert process.stdin is not None
    assert process.stdout is not None
    # Not on its command line, which every user of the machine can read.
    process.stdin.write(json.dumps({"key": key, "wish": asdict(wish)}) + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    told = json.loads(answer) if answer else {"error": f"it ended with {process.wait()}"}
    if "address" not in told:
        raise ModelError(
            f"llama.cpp cannot load {wish.path!r}: {_explain_load_error(told['error'])}"
        )
    return str(told["address"])


def _explain_load_error(told: str) -> str:
    """Return a message with llama.cpp's reason for not loading a file, and advice."""
    if UNKNOWN in told:
        return f"{told}. A later version of xllamacpp may know it."
    return (
        f"{told}. The file may be damaged, too new for this version of xllamacpp, or larger than "
        "the memory."
    )


def _end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
