"""Fit messages to chat templates that know no system role."""

from collections.abc import Sequence

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage


def fold_system(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the messages with the system text put in front of the first human turn.

    Templates without a system role (Mistral-Instruct, Gemma) refuse the role or drop its text. The
    stable text stays first, so a server's prefix cache serves as much as before.
    """
    system = "\n\n".join(str(m.text) for m in messages if isinstance(m, SystemMessage))
    rest = [m for m in messages if not isinstance(m, SystemMessage)]
    if not system:
        return rest
    if not rest or not isinstance(rest[0], HumanMessage):
        return [HumanMessage(system), *rest]
    first = HumanMessage(f"{system}\n\n{rest[0].text}")
    return [first, *rest[1:]]
