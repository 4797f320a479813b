"""The model client of speculative thoughts, which are run ahead of time and may not be needed."""

import time
from dataclasses import fields, replace

from smolville.graphs.loop.ledger import Call
from smolville.graphs.loop.model_client import (
    ModelClient,
    StepQuestion,
    complete_call,
    send_question,
)
from smolville.models.chat import Chat


class AheadClient(ModelClient):
    """A client that waits until a server is idle, writes no journal, and retries no call.

    The questions and replies are kept by `graphs.loop.ahead.AheadReplies` until they are needed.
    """

    async def ask(self, question: StepQuestion) -> Call:
        """Return the call for a question. Raises TransportError as soon as the call is lost."""
        chat = self.chat(question.tier)
        draft = replace(self.draft(question, chat), started=time.time())
        found = self.journal.find_stored(draft.key, draft.messages_hash)
        known = found or self.find_cached(draft)
        return known or await self.ahead.ask(draft, lambda: self._send(chat, question, draft))

    async def _send(self, chat: Chat, question: StepQuestion, draft: Call) -> Call:
        """Return the call with the reply of a server that is idle."""
        step, agent = question.key.step, question.agent
        async with self.gate(chat).slot(step, agent, question.max_tokens, is_ahead=True) as used:
            self.ahead.mark_sent(draft)
            server, number = (chat.servers or (chat,))[used.slot.server], used.slot.number
            reply = await send_question(server, question, draft.seed, number)
        asked = replace(
            draft,
            slot=number if server.has_slots else None,
            server=server.spec if chat.servers else "",
        )
        return complete_call(asked, reply, source="model")


def ahead_client(client: ModelClient) -> AheadClient:
    """Return a client for speculative thoughts that shares everything with a run's client."""
    return AheadClient(**{each.name: getattr(client, each.name) for each in fields(ModelClient)})
