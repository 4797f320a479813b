"""Servers that join a model during a run, because they did not answer when it began.

They are tried every half minute. A server that answers takes calls from then on, if it has the same
model and accepts equally long prompts. Otherwise the reason is reported once.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from smolville.graphs.loop.model_client import ModelClient
from smolville.models.chat import AbsentServer, Chat
from smolville.models.errors import ModelError, TransportError
from smolville.models.pool import join

LOOK_SECONDS = 30.0
"""Seconds between two attempts to reach absent servers."""


@asynccontextmanager
async def servers_joining(client: ModelClient) -> AsyncIterator[None]:
    """Let absent servers join while the block runs."""
    looking = asyncio.create_task(_look(client))
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def _look(client: ModelClient) -> None:
    """Try the absent servers of both tiers until none is absent."""
    chats = {id(chat): chat for chat in (client.fast, client.strong)}.values()
    while any(chat.absent for chat in chats):
        await asyncio.sleep(LOOK_SECONDS)
        for chat in chats:
            for absent in tuple(chat.absent):
                await _try(client, chat, absent)


async def _try(client: ModelClient, chat: Chat, absent: AbsentServer) -> None:
    """Let one server join if it answers and suits."""
    try:
        server = await asyncio.to_thread(absent.open)
        join(chat, server)
    except TransportError:
        return
    except ModelError as error:
        chat.absent.remove(absent)
        client.told(f"{error} It takes no calls of this run.")
        return
    chat.absent.remove(absent)
    client.gate(chat).add_server(server.slots, len(chat.servers))
    slots = f"{server.slots} slot{'' if server.slots == 1 else 's'}"
    client.told(f"{server.server} answers now, and takes calls with {slots}.")
