"""Probe: whether the chat template accepts a system role, and two turns of the same role."""

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from lab.doctor.findings import ServerSeen, TemplateFound
from models.chat import Chat
from models.errors import TransportError, UnreadableReply

RULES = SystemMessage("Answer with one word.")
ABOUT_ROLES = ("alternat", "role", "template", "system")
"""Words in the error of a server whose template refuses the messages."""


async def probe_template(chat: Chat, server: ServerSeen | None) -> TemplateFound:
    """Return what the template accepts, as the server reports it or as found by asking."""
    system_role = chat.system_role
    if system_role and not await _takes(chat, [RULES, HumanMessage("Good morning.")]):
        system_role = False
    alternates = server.alternates if server is not None else None
    if alternates is None:
        turns: list[BaseMessage] = [HumanMessage("Good morning."), HumanMessage("How are you?")]
        alternates = not await _takes(chat, turns)
    return TemplateFound(system_role=system_role, alternates=alternates)


async def _takes(chat: Chat, messages: list[BaseMessage]) -> bool:
    """Return False when the server refuses the roles; raise any other error."""
    try:
        await chat.ask(messages, max_tokens=2)
    except TransportError as error:
        if any(word in str(error).lower() for word in ABOUT_ROLES):
            return False
        raise
    except UnreadableReply:
        return True
    return True
