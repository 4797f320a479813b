"""Fit messages to chat templates: strictly alternating turns, with or without a system role."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

GAP = "\n\n"
"""Stands between texts that become one turn."""
OPENING = "Begin."
"""The human turn in front of a talk that would open with the model's own words."""


def fit_roles(messages: Sequence[BaseMessage], system_role: bool = True) -> list[BaseMessage]:
    """Return the messages as every chat template takes them.

    System texts become one, at the front; turns of one role in a row become one; the first turn is
    human. Without a system role (Mistral-Instruct, Gemma) its text goes in front of the first human
    turn: it stays first, so a server's prefix cache serves as much as before.
    """
    system = [m for m in messages if isinstance(m, SystemMessage)]
    turns = _alternating([m for m in messages if not isinstance(m, SystemMessage)])
    if not system:
        return _opened(turns)
    if not system_role or not turns:
        return _folded(_joined(system), turns)
    first = system[0] if len(system) == 1 else SystemMessage(_joined(system))
    return [first, *_opened(turns)]


def _alternating(turns: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the turns with neighbours of one role joined."""
    fitted: list[BaseMessage] = []
    for turn in turns:
        if fitted and fitted[-1].type == turn.type:
            fitted[-1] = type(turn)(_joined([fitted[-1], turn]))
        else:
            fitted.append(turn)
    return fitted


def _opened(turns: list[BaseMessage]) -> list[BaseMessage]:
    """Return the turns with a human one in front."""
    return [HumanMessage(OPENING), *turns] if turns and isinstance(turns[0], AIMessage) else turns


def _folded(system: str, turns: list[BaseMessage]) -> list[BaseMessage]:
    """Return the turns with the system text in front of the first human one."""
    if not turns or not isinstance(turns[0], HumanMessage):
        return [HumanMessage(system), *turns]
    return [HumanMessage(f"{system}{GAP}{turns[0].text}"), *turns[1:]]


def _joined(messages: Sequence[BaseMessage]) -> str:
    """Return the texts of messages as one."""
    return GAP.join(str(message.text) for message in messages)
