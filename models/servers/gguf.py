"""Connect to a GGUF file, for which a llama.cpp server of the `xllamacpp` wheel is started.

The server runs in a child process, which ends when our own process does. It does not run inside
ours, because llama.cpp finishes the current batch before it can be stopped, which for a long prompt
on a small machine takes half a minute.
"""

import asyncio
import json
import mmap
import secrets
import subprocess
import sys
import weakref
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

from smolville.models.chat import Chat
from smolville.models.errors import ModelError, SpecError
from smolville.models.request import ModelSettings
from smolville.models.servers import gguf_child
from smolville.models.servers.gguf_child import GgufWish
from smolville.models.servers.llamacpp import LlamaCppServer, chat_with
from smolville.models.spec import Spec

GGUF_SLOTS = 2
"""Number of parallel calls, unless the spec gives another number; each slot takes memory for its
own context."""
MAGIC, TEMPLATE, POOLING = b"GGUF", b"tokenizer.chat_template", b".pooling_type"
"""The first bytes of every GGUF file, and names in the headers of chat and of embedding models."""
HEADER = 64 << 20
"""Bytes in which these names are looked for; the largest vocabularies take a third of that."""
UNKNOWN = "unknown model architecture"
"""Part of llama.cpp's message about a model architecture that it does not support."""
CHILD = Path(gguf_child.__file__)


def check_gguf(path: Path) -> None:
    """Raise SpecError unless the path is a GGUF file of a chat model.

    llama.cpp itself would let a model without a chat template chat in a format that it never saw.
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise SpecError(f"The model file {str(path)!r} {what}: give the path of a GGUF file.")
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise SpecError(f"{str(path)!r} is no GGUF file: llama.cpp reads nothing else.")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                has_template = data.find(TEMPLATE, 0, HEADER) >= 0
                embeds = data.find(POOLING, 0, HEADER) >= 0
    except OSError as error:
        told = f"The model file {str(path)!r} cannot be read: {error.strerror}."
        raise SpecError(told) from error
    if embeds:
        raise SpecError(f"{str(path)!r} is a model for embeddings and cannot chat.")
    if not has_template:
        raise SpecError(
            f"{str(path)!r} is no chat model: it has no chat template. Take an instruct version; "
            "one that chats all the same can be served by llama-server with --chat-template, and "
            "named as llamacpp:<url>."
        )


def connect_gguf(spec: Spec, settings: ModelSettings) -> Chat:
    """Return the chat model of a file; closing the chat stops its server.

    The chat's spec has the full path, so that a run finds its model from any folder.
    """
    path = Path(spec.target).expanduser().resolve()
    asked = dict(spec.options)
    started = GgufServer(
        GgufWish(
            path=str(path),
            num_ctx=spec.count("num_ctx", settings.num_ctx),
            slots=spec.count("slots", GGUF_SLOTS),
            threads=int(asked["threads"]) if "threads" in asked else None,
            gpu_layers=int(asked["gpu_layers"]) if "gpu_layers" in asked else None,
        )
    )
    server = LlamaCppServer(started.url, key=started.key)
    server.name = f"llama.cpp with {path.name}"
    try:
        chat = chat_with(server, spec=str(Spec("gguf", str(path), spec.options)), settings=settings)
    except ModelError:
        started.stop()
        raise
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
        check_gguf(Path(wish.path))
        if find_spec("xllamacpp") is None:
            raise SpecError(
                "A gguf: model is served by the package xllamacpp: "
                "install smolville with its extra gguf (smolville[gguf])."
            )
        self.key = secrets.token_hex(16)
        self.process = subprocess.Popen(  # noqa: S603 - our own file, no shell
            [sys.executable, "-P", str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            # Ctrl-C at the terminal is for us; the server ends when we have.
            start_new_session=True,
        )
        self.stop = weakref.finalize(self, _end, self.process)
        """Ends the server at once, whatever it is doing, and frees its memory."""
        try:
            self.url = _address(self.process, wish, self.key)
        except BaseException:
            self.stop()
            raise


def _address(process: "subprocess.Popen[str]", wish: GgufWish, key: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    # Not on its command line, which every user of the machine can read.
    process.stdin.write(json.dumps({"key": key, "wish": asdict(wish)}) + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    told = json.loads(answer) if answer else {"error": f"it ended with {process.wait()}"}
    if "address" in told:
        return str(told["address"])
    why = (
        "A later version of xllamacpp may know it."
        if UNKNOWN in told["error"]
        else "The file may be cut short or damaged, too new for this version of xllamacpp, or "
        "larger than the memory."
    )
    raise ModelError(f"llama.cpp cannot load {wish.path!r}: {told['error']}. {why}")


def _end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
