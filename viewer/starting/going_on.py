"""Let a run that is over, or was left, go on in a process of its own."""

import asyncio

from agents.errors import RunError
from viewer.serving.children import Child, Children

SOON = 3.0
"""Seconds within which a run that cannot go on says so."""


async def let_go_on(children: Children, name: str, options: tuple[str, ...]) -> str:
    """Begin the process and return a sentence; RunError with what it said where it cannot go on."""
    child = children.begin(name, *options)
    code = await asyncio.to_thread(child.wait, SOON)
    if code:
        raise RunError(why(child))
    return f"{name} goes on."


def why(child: Child) -> str:
    """Return what a run that ended said last."""
    return " ".join(child.said) or f"{child.name!r} could not go on."
