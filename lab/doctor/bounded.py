"""Bound a probe in time, and turn whatever goes wrong with a model into a sentence."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from graphs.loop.template_set import TemplateSet, shipped_templates
from models.chat import Chat
from models.errors import ModelError

T = TypeVar("T")

TROUBLE = (ModelError, TimeoutError, ValueError, TypeError, KeyError)
"""What a call may raise: errors of our own, a probe's time that ran out, and what clients raise
about a server that answers oddly."""


@dataclass(frozen=True)
class Probes:
    """How long each probe may take, in seconds, and with which templates it asks."""

    first: float = 300.0
    """The first small call, which loads the model."""
    template: float = 60.0
    thinking: float = 120.0
    schema: float = 120.0
    context: float = 150.0
    speed: float = 60.0
    embedder: float = 60.0
    templates: TemplateSet = field(default_factory=shipped_templates, repr=False)
    """What a town would ask with."""


async def bounded(
    probe: Callable[[], Awaitable[T]], seconds: float, failed: Callable[[str], T]
) -> T:
    """Return what a probe finds; what `failed` makes of the sentence when it cannot."""
    try:
        async with asyncio.timeout(seconds):
            return await probe()
    except TimeoutError:
        return failed(f"not finished within {seconds:.0f} seconds")
    except TROUBLE as error:
        return failed(" ".join(str(error).split()) or type(error).__name__)


def under(chat: Chat, **changes: Any) -> Chat:
    """Return the same model, asked under changed settings; as it is where it knows of none."""
    dialect: Any = chat.dialect
    if not hasattr(dialect, "settings"):
        return chat
    dialect = replace(dialect, settings=replace(dialect.settings, **changes))
    return replace(chat, dialect=dialect)
