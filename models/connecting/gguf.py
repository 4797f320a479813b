"""Connect to a GGUF file: a llama.cpp server is started for it alone."""

import asyncio
from pathlib import Path

from models.chat import Chat
from models.connecting.limits import count
from models.connecting.llamacpp import chat_with
from models.errors import ModelError
from models.request import ModelSettings
from models.servers.gguf_child import GgufWish
from models.servers.gguf_server import GgufServer
from models.servers.llamacpp import LlamaCppServer
from models.spec import Spec

GGUF_SLOTS = 2
"""Parallel calls unless the spec says more; each slot takes memory for its own context."""


def connect_gguf(spec: Spec, settings: ModelSettings) -> Chat:
    """Return the chat model of a file; `aclose` stops its server.

    The chat's spec has the full path, so that a run finds its model from any folder.
    """
    path = Path(spec.target).expanduser().resolve()
    asked = dict(spec.options)
    started = GgufServer(
        GgufWish(
            path=str(path),
            num_ctx=count(spec, "num_ctx", settings.num_ctx),
            slots=count(spec, "slots", GGUF_SLOTS),
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
    chat.parameters, chat.quantization = started.file.parameters, started.file.quantization
    close_clients = chat.close

    async def close() -> None:
        if close_clients is not None:
            await close_clients()
        await asyncio.to_thread(started.stop)

    chat.close = close
    return chat
