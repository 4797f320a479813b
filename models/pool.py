"""Several servers of one model, used as one chat: they share its calls (`models.slots`)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from smolville.models.chat import Chat
from smolville.models.errors import SpecError, TransportError
from smolville.models.servers.llamacpp import QUANTIZED
from smolville.models.spec import parse_spec

PROTOCOLS = {"llamacpp": "llamacpp", "gguf": "llamacpp", "ollama": "ollama", "openai": "openai"}
"""Protocol of each kind of server that can share a model's calls, by the kind of its spec."""


def check_specs(specs: Sequence[str]) -> None:
    """Raise SpecError if these specs cannot be servers of one model."""
    first, *others = parsed = [parse_spec(each) for each in specs]
    for one in parsed if others else ():
        if one.kind not in PROTOCOLS:
            raise SpecError(
                f"{one} cannot share its calls with others: give --model once, or several servers "
                "such as llamacpp:<url>."
            )
        if parsed.count(one) > 1:
            raise SpecError(f"The server {one} is given more than once: leave it out once.")
        if PROTOCOLS[one.kind] != PROTOCOLS[first.kind]:
            raise SpecError(
                f"{first} and {one} count tokens in different ways, so they cannot share calls: "
                "give servers of one kind."
            )


def open_pool(
    specs: Sequence[str],
    open_one: Callable[[str], tuple[Chat, str]],
) -> tuple[Chat, tuple[str, ...]]:
    """Return one chat for all servers of a model, and a line on each of them.

    A server that does not answer is not used if another one does. The first spec names the model in
    every record, whichever server answers. `open_one` returns the chat of a spec, and why it was
    chosen. Raises ModelError.
    """
    check_specs(specs)
    opened: dict[str, Chat] = {}
    lines: list[str] = []
    lost: list[TransportError] = []
    for spec in specs:
        try:
            chat, why = open_one(spec)
        except TransportError as error:
            lost.append(error)
            told = str(error)
            told = f"the {told[4:]}" if told.startswith("The ") else told
            lines.append(f"{parse_spec(spec)}: not used, {told}")
        else:
            opened[spec] = chat
            slots = f"{chat.slots} slot{'' if chat.slots == 1 else 's'}"
            lines.append(f"{why.rstrip('.')}, {slots}.")
    if not opened:
        raise lost[0]
    chats = tuple(opened.values())
    name = opened[specs[0]].spec if specs[0] in opened else str(parse_spec(specs[0]))
    return pool(chats, name), tuple(lines)


def pool(chats: Sequence[Chat], spec: str) -> Chat:
    """Return one chat for servers of the same model, which is called `spec` in every record.

    Raises SpecError if they have different models, or treat the same prompt differently.
    """
    first = chats[0]
    for other in chats[1:]:
        if bare_name(other.name) != bare_name(first.name):
            raise SpecError(
                f"Several servers must have the same model, and {first.server} has {first.name}, "
                f"{other.server} has {other.name}: what people think would depend on which one is "
                "free. For two models, give --fast and --strong."
            )
        if (other.system_role, other.constrains) != (first.system_role, first.constrains):
            raise SpecError(
                f"{first.server} and {other.server} treat {first.name} differently (chat template "
                "or JSON schema), so they cannot share calls: start both in the same way."
            )
    contexts = [chat.num_ctx for chat in chats if chat.num_ctx is not None]
    return replace(
        chats[0],
        spec=spec,
        slots=sum(chat.slots for chat in chats),
        num_ctx=min(contexts, default=None),
        thinking_tokens=max(chat.thinking_tokens for chat in chats),
        counter=None,
        close=None,
        servers=tuple(chats),
    )


def bare_name(name: str) -> str:
    """Return a model's name without folder, file ending, quantisation and the tag `latest`."""
    last = re.split(r"[\\/]", name)[-1].removesuffix(":latest")
    stem = re.sub(r"(?i)\.gguf$", "", last)
    return QUANTIZED.sub("", stem).strip("-._: ").casefold()
