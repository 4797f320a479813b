"""Open the models of a run: one client per tier, also for a model with several servers."""

import shlex
from collections.abc import Mapping
from types import MappingProxyType

from smolville.cli.screen import again_in, say
from smolville.models.chat import Chat
from smolville.models.connecting.ollama import check_tiers
from smolville.models.errors import ModelLoading, TransportError
from smolville.models.keys import MaySend, forbid_all
from smolville.models.open import FoundModel, open_chat
from smolville.models.pacing import Backoff, ask_blocking
from smolville.models.pool import open_pool
from smolville.models.request import ModelSettings


def open_chats(
    fast: str | FoundModel | None,
    strong: str | FoundModel | None,
    seed: int,
    *,
    servers: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    settings: ModelSettings | None = None,
    env: Mapping[str, str] | None = None,
    may_send: MaySend = forbid_all,
    patience: float = Backoff.patience_seconds,
) -> tuple[tuple[Chat, Chat], tuple[str, ...]]:
    """Return the model clients of both tiers, and a line per server on why it was chosen.

    Waits up to `patience` seconds for a server that is loading its model, but not for one that is
    not there. `servers` holds further servers of a model, by the spec of its first server. If one
    of a model's servers does not answer yet, the others are used until it does. `may_send` decides
    whether keys go to servers that the user has not named.
    """
    asking = settings or ModelSettings()

    def open_with_patience(spec: str | FoundModel | None, how: ModelSettings) -> tuple[Chat, str]:
        return ask_blocking(
            lambda: _open_chat(spec, seed, how, env, may_send),
            patience_seconds=patience,
            on_retry=_say_so,
            lost=ModelLoading,
        )

    def open_model(
        spec: str | FoundModel | None, how: ModelSettings
    ) -> tuple[Chat, tuple[str, ...]]:
        others = servers.get(spec, ()) if isinstance(spec, str) else ()
        if isinstance(spec, str) and others:
            return open_pool(
                (spec, *others),
                lambda each: open_with_patience(each, how),
                lambda each: _open_chat(each, seed, how, env, may_send)[0],
            )
        chat, why = open_with_patience(spec, how)
        return chat, (why,)

    if strong == fast:
        only, why = open_model(strong, asking.of_strong())
        return (only, only), why
    first, why = open_model(fast, asking.of_fast())
    second, why_too = open_model(strong, asking.of_strong())
    if second.spec == first.spec:
        return ((second, second), why_too) if second.servers else ((first, first), why)
    check_tiers(first, second)
    return (first, second), (
        *(f"fast: {one}" for one in why),
        *(f"strong: {one}" for one in why_too),
    )


def examine_command(chat: Chat) -> str:
    """Return the command that examines a model's servers, and measures how fast they answer."""
    specs = (server.spec for server in chat.servers or (chat,))
    options = (word for spec in specs for word in ("--model", spec))
    return shlex.join(["smolville", "doctor", *options])


def _open_chat(
    spec: str | FoundModel | None,
    seed: int,
    settings: ModelSettings,
    env: Mapping[str, str] | None,
    may_send: MaySend,
) -> tuple[Chat, str]:
    """Return the model client, and a line that says why the model was chosen."""
    chat, why = open_chat(spec, settings=settings, seed=seed, env=env, may_send=may_send)
    if not isinstance(spec, str) and chat.spec.startswith("standin") and "no Ollama answers" in why:
        why = f"{chat.spec} (no Ollama and no llama.cpp server answers here)"
    return chat, why


def _say_so(error: TransportError, seconds: float) -> None:
    """Print what the command waits for, and when it asks again."""
    told = str(error).removesuffix(": try again in a moment.")
    say(f"{told}. {again_in(seconds)}", "dim", on_stderr=True)
