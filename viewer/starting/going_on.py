"""Resumes a finished or interrupted run in a process of its own."""

import asyncio

from agents.errors import RunError
from viewer.serving.children import StartedProcess, StartedProcesses

SOON = 3.0
"""Seconds within which a run that cannot be resumed reports its error."""


async def let_go_on(children: StartedProcesses, name: str, options: tuple[str, ...]) -> str:
    """Start the process and return a sentence; RunError with its output if it fails at once."""
    child = children.begin(name, *options)
    code = await asyncio.to_thread(child.wait, SOON)
    if code:
        raise RunError(why(child))
    return f"{name} goes on."


def why(child: StartedProcess) -> str:
    """Return the last output of a run that ended."""
    return " ".join(child.said) or f"{child.name!r} could not go on."
