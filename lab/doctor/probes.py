"""The doctor's short probes: chat template, thinking, JSON schema, and embedder."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from smolville.lab.doctor.bounded import SAFE, run_in_thread, try_probe, under
from smolville.lab.doctor.findings import (
    EmbedderFound,
    SchemaFound,
    ServerSeen,
    TemplateFound,
    ThinkingFound,
)
from smolville.models.chat import Chat
from smolville.models.embedding.embedder import BUILT_IN, open_embedder
from smolville.models.errors import TransportError, UnreadableReply
from smolville.models.keys import UserSpec
from smolville.models.reply import Reply

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
        alternates = not await _takes(replace(chat, fits_roles=False), turns)
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


QUESTION: list[BaseMessage] = [HumanMessage("Which is larger, 9 or 11? Answer with one word.")]
OFF_TOKENS = 64
ON_TOKENS = 48


async def probe_thinking(chat: Chat, declared: bool | None) -> ThinkingFound:
    """Return how the model behaves with thinking off, and with thinking on if it may support it.

    A model is not asked to think if its server says that it cannot.
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
    """Return True if there is thinking inside the text or separate from it."""
    return bool(reply.thinking.strip()) or "<think" in reply.text


SCHEMA_TOKENS = 80
SHOWN = 120
"""Maximum number of characters kept of a reply."""


class Errand(BaseModel):
    """A test answer that has what steps' answers have: required fields, an enum and a range."""

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
    """Return how server and model handle a JSON schema.

    A schema is sent even if a run with this chat would not send one.

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
    return await chat.ask(messages, schema=schema, temperature=0.0, max_tokens=SCHEMA_TOKENS)


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
    """Return a reply, shortened and on one line."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


BATCH = [f"Rosa Marin sees Milo Varga at the market, for the {each}th time." for each in range(16)]


async def probe_embedder(
    servers: Sequence[ServerSeen], env: Mapping[str, str], seconds: float
) -> EmbedderFound:
    """Return the first working embedder: on a server, on disk, or built in.

    An embedder of a server may take half of the remaining time, so that some is left for the
    built-in one.
    """
    until = time.perf_counter() + seconds
    problems: list[str] = []
    for spec in candidates(servers):
        left = until - time.perf_counter()
        measure = partial(_measure_embedder, spec, env)
        found = await try_probe(partial(run_in_thread, measure), left / 2)
        if isinstance(found, EmbedderFound):
            return found
        problems.append(f"{spec}: {found.why}")
    return EmbedderFound(problem=" ".join(problems))


def candidates(servers: Sequence[ServerSeen]) -> Iterator[str]:
    """Yield embedder specs in order of preference."""
    for server in servers:
        for model in server.models:
            if model.embeds:
                is_ollama = server.kind == "ollama"
                yield f"ollama:{model.name}" if is_ollama else f"llamacpp:{server.url}"
    yield from ("minilm", BUILT_IN, "words")


def _measure_embedder(spec: str, env: Mapping[str, str]) -> EmbedderFound:
    """Return the vector length and speed of an embedder."""
    embedder = open_embedder(UserSpec(spec), env=env)
    started = time.perf_counter()
    rows = embedder.embed(BATCH)
    taken = (time.perf_counter() - started) * 1000
    return EmbedderFound(
        spec=embedder.name, dimension=int(rows.shape[1]), milliseconds=round(taken, 1)
    )
