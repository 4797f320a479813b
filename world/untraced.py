"""Keeps LangChain's own tracer out: it copies a whole state into every run that it posts.

Traces are built from the history instead (`lab.tracing`). With LANGSMITH_TRACING in the environment
LangChain would trace every graph, prompt and call by itself, without a key as well.
"""

from collections.abc import Awaitable
from typing import TypeVar

from langsmith.run_helpers import tracing_context

T = TypeVar("T")


async def untraced(work: Awaitable[T]) -> T:
    """Do some work, and all that it begins, without LangChain's tracer."""
    with tracing_context(enabled=False):
        return await work
