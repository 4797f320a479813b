"""Probe: whether the model thinks aloud, and whether it stops when thinking is switched off."""

from langchain_core.messages import BaseMessage, HumanMessage

from lab.doctor.bounded import under
from lab.doctor.findings import ThinkingFound
from models.chat import Chat
from models.reply import Reply

QUESTION: list[BaseMessage] = [HumanMessage("Which is larger, 9 or 11? Answer with one word.")]
OFF_TOKENS = 64
ON_TOKENS = 48


async def probe_thinking(chat: Chat, declared: bool | None) -> ThinkingFound:
    """Return how the model behaves with thinking off, and with thinking on if it may support it.

    A model that cannot think according to its server is not asked to.
    """
    off = await under(chat, thinking=False).ask(QUESTION, max_tokens=OFF_TOKENS)
    if _thinks(off):
        return ThinkingFound(thinks=True, switches_off=False)
    if declared is False:
        return ThinkingFound(thinks=False)
    on = await under(chat, thinking=True).ask(QUESTION, max_tokens=ON_TOKENS)
    if _thinks(on):
        return ThinkingFound(thinks=True, switches_off=True)
    return ThinkingFound(thinks=bool(declared), switches_off=True if declared else None)


def _thinks(reply: Reply) -> bool:
    """Return True when there is thinking beside or inside the text."""
    return bool(reply.thinking.strip()) or "<think" in reply.text
