"""Probe: whether the server constrains the model's output to a JSON schema."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lab.doctor.bounded import SAFE
from lab.doctor.findings import SchemaFound
from models.chat import Chat
from models.reply import Reply

TOKENS = 80
SHOWN = 120
"""Characters kept of a reply."""


class Errand(BaseModel):
    """An answer with what the steps' answers have: required fields, an enum and a range."""

    model_config = ConfigDict(extra="forbid", strict=True)

    place: Literal["bakery", "library", "park"]
    minutes: int = Field(ge=5, le=60)
    alone: bool


ASKED: list[BaseMessage] = [
    HumanMessage(
        'Write one JSON object and nothing else. It has these fields: "place" (one of "bakery", '
        '"library", "park"), "minutes" (a whole number from 5 to 60), "alone" (true or false). '
        "Rosa goes to buy bread with her sister. It takes her a quarter of an hour."
    )
]
AGAINST: list[BaseMessage] = [
    HumanMessage("Write two lines of a poem about the sea. Do not write JSON.")
]


async def probe_schema(chat: Chat, seconds: float) -> SchemaFound:
    """Return what happens to a schema, which is sent even where the program would not send one.

    The most informative question is asked first; questions not answered in time stay unknown.
    """
    schema = Errand.model_json_schema()
    held = replace(chat, constrains=True)
    against = free = asked = None
    with suppress(TimeoutError):
        async with asyncio.timeout(SAFE * seconds):
            against = await _ask(held, AGAINST, schema)
            free = await _ask(chat, ASKED, None)
            asked = await _ask(held, ASKED, schema)
    came = [reply for reply in (asked, against, free) if reply is not None]
    return SchemaFound(
        honoured=_fits(asked),
        honoured_against_prompt=_fits(against),
        by_itself=_fits(free),
        sent=chat.constrains,
        replies=tuple(_short(reply.text) for reply in came),
        is_silent=bool(came) and not any(reply.text.strip() or _thought(reply) for reply in came),
        problem="" if against is not None else f"not finished within {seconds:.0f} seconds",
    )


async def _ask(chat: Chat, messages: list[BaseMessage], schema: Mapping[str, Any] | None) -> Reply:
    return await chat.ask(messages, schema=schema, temperature=0.0, max_tokens=TOKENS)


def _thought(reply: Reply) -> bool:
    """Return whether the model thought aloud, or used up its token limit."""
    return bool(reply.thinking.strip()) or reply.thinking_tokens > 0 or reply.is_cut


def _fits(reply: Reply | None) -> bool | None:
    """Return whether a reply is a valid Errand; None when it was cut off at the token limit."""
    if reply is None:
        return None
    text = reply.text.strip()
    try:
        Errand.model_validate_json(text)
    except ValidationError:
        return None if reply.is_cut and text.startswith("{") else False
    return True


def _short(text: str) -> str:
    """Return a reply on one line, shortened."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
