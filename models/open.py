"""Open the chat model of a spec, or find a model on this machine."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from smolville.models.chat import Chat
from smolville.models.errors import ConnectionRefused, ModelError, ModelLoading, SpecError
from smolville.models.keys import KEYS, MaySend, check_keys, forbid_all, key_for
from smolville.models.pacing import ask_blocking
from smolville.models.request import ModelSettings
from smolville.models.servers.address import LLAMACPP_URL
from smolville.models.servers.compatible import connect_compatible
from smolville.models.servers.gguf import connect_gguf
from smolville.models.servers.langchain import connect_community, connect_hosted
from smolville.models.servers.llamacpp import LlamaCppServer, connect_llamacpp
from smolville.models.servers.ollama import (
    PROBE_SECONDS,
    OllamaServer,
    ServedModel,
    connect_ollama,
    is_remote,
)
from smolville.models.spec import Spec, parse_spec

FIND_SECONDS = 3.0
"""Seconds to retry a server with a temporary failure while looking for a model."""
SUGGESTED = "qwen2.5:3b"
"""The model to suggest for pulling when Ollama has no chat model."""
STANDIN_SLOTS = 16
# Both limits: docs/reference/small-models.md.
SMALL = 1e9
"""Number of parameters below which a model copies an example rather than learns from it."""
SHORT_OF_MEANING = 2e9
"""Number of parameters below which a model is too small to speak for itself, and asking it again
rarely helps."""
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMBT])", re.IGNORECASE)


@dataclass(frozen=True)
class FoundModel:
    """The model found on this machine, and why it was chosen."""

    spec: Spec
    why: str


def open_chat(
    spec: "str | FoundModel | None" = None,
    *,
    settings: ModelSettings | None = None,
    seed: int = 0,
    env: Mapping[str, str] | None = None,
    may_send: MaySend = forbid_all,
    llamacpp_url: str = LLAMACPP_URL,
) -> tuple[Chat, str]:
    """Return the chat model and one line that says which model answers and why.

    Without a spec: Ollama on its usual port if it has a chat model, else a llama.cpp server on its
    usual port, else the stand-in. `seed` is the run's seed, used by the stand-in. `may_send`
    decides whether keys go to the server of a spec that is not a `UserSpec`; the server of a
    `FoundModel` gets its keys without being asked about. Raises ModelError.
    """
    around = os.environ if env is None else env
    if spec is None:
        found = find_model(around, llamacpp_url)
    elif isinstance(spec, FoundModel):
        found = spec
    else:
        found = FoundModel(parse_spec(spec), "chosen by you")
        check_keys(spec, found.spec, around, may_send)
    chat = connect(found.spec, settings or ModelSettings(), seed=seed, env=around)
    size = f" ({chat.size})" if chat.size else ""
    return chat, f"{chat.spec}{size}: {found.why}."


def connect(spec: Spec, settings: ModelSettings, *, seed: int, env: Mapping[str, str]) -> Chat:
    """Return the chat model of a parsed spec."""
    if spec.kind == "standin":
        return connect_standin(spec, seed)
    if spec.kind == "gguf":
        return connect_gguf(spec, settings)
    if spec.kind == "langchain":
        return connect_hosted(spec, settings)
    if spec.kind == "community":
        return connect_community(spec, settings)
    served = {
        "ollama": connect_ollama,
        "llamacpp": connect_llamacpp,
        "openai": connect_compatible,
    }
    return served[spec.kind](spec, settings, env)


def find_model(
    env: Mapping[str, str], llamacpp_url: str = LLAMACPP_URL, *, patience: float = FIND_SECONDS
) -> FoundModel:
    """Return the first model that this machine offers, or the stand-in if it offers none.

    A server with a temporary failure is retried for `patience` seconds, an unreachable one is not.
    """
    ollama = OllamaServer.of(env, timeout=PROBE_SECONDS)
    models: list[ServedModel] = []
    try:
        found = ask_blocking(ollama.models, patience_seconds=patience, refused_seconds=0.0)
        models = [each for each in found if each.chats and not is_remote(each.name)]
        missing = f"{ollama.name} has no chat model (to get one: ollama pull {SUGGESTED})"
    except ConnectionRefused:
        missing = f"no Ollama answers at {ollama.url}"
    except ModelError as error:
        missing = str(error).removesuffix(".")
    if models:
        among = f"the newest of its {len(models)} chat models" if models[1:] else "its chat model"
        why = f"{ollama.name} answers, and this is {among}"
        return FoundModel(Spec("ollama", models[0].name), why)
    key = key_for(KEYS["llamacpp"], env)
    llamacpp = LlamaCppServer(llamacpp_url, timeout=PROBE_SECONDS, key=key)
    try:
        ask_blocking(llamacpp.facts, patience_seconds=patience, refused_seconds=0.0)
    except ModelError as error:
        is_there = isinstance(error, ModelLoading | SpecError)
        missing += f", and {error if is_there else f'no llama.cpp server at {llamacpp_url}'}"
        missing = missing.removesuffix(".")
        return FoundModel(Spec("standin"), f"the built-in stand-in, no model; {missing}")
    return FoundModel(Spec("llamacpp", llamacpp_url), f"{missing}, and this server does")


def connect_standin(spec: Spec, seed: int) -> Chat:
    """Return the chat client of the built-in stand-in."""
    from smolville.models.standin.model import build

    try:
        model = build(dict(spec.options), seed)
    except ValueError as error:
        told = f"The model spec {str(spec)!r} does not open: {str(error).splitlines()[0]}."
        raise SpecError(told) from error
    return Chat(
        spec=str(spec),
        name="stand-in",
        model=model,
        slots=STANDIN_SLOTS,
        wants_inputs=True,
        is_instant=True,
        server="the stand-in",
    )


def parameters_in(name: str) -> str:
    """Return the number of parameters in a model's name, such as `1.5B`; empty if it has none."""
    found = re.search(r"(?i)(?<![\w.])(\d+(?:\.\d+)?[MB])(?![a-z0-9])", name)
    return found[1].upper() if found else ""


def is_below(text: str, limit: float) -> bool:
    """Return whether a number of parameters is known (not 0) and below a limit."""
    found = _SIZE.match(text.strip())
    return found is not None and 0 < float(found[1]) * _UNITS[found[2].upper()] < limit


def warn_if_small(parameters: str) -> str:
    """Return that a model is too small to speak for itself, and what to take instead; else "".

    The model may be used all the same.
    """
    if not is_below(parameters, SHORT_OF_MEANING):
        return ""
    return (
        f"a model of {parameters.strip()} parameters is too small to speak for itself: much of "
        "what people say and plan will make little sense; take an instruct model of 3 to 8 billion "
        f"parameters ({SUGGESTED}, or llama3.1:8b with 12 GB of memory)"
    )
