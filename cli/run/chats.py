"""Opens the models of a run, and waits for one that is still being loaded."""

from collections.abc import Mapping

from cli.screen import again_in, say
from models.chat import Chat
from models.errors import Loading, TransportError
from models.keys import MaySend, never
from models.open import check_tiers, open_chat
from models.pacing import Backoff, ask_blocking
from models.request import Settings


def open_chats(
    fast: str | None,
    strong: str | None,
    seed: int,
    *,
    settings: Settings | None = None,
    env: Mapping[str, str] | None = None,
    may_send: MaySend = never,
    patience: float = Backoff.patience_seconds,
) -> tuple[tuple[Chat, Chat], tuple[str, ...]]:
    """Return the chats of both tiers, and a line on each model and why it was taken.

    A server that loads its model is waited for, `patience` seconds; one that is not there is not.
    `may_send` decides whether keys go to servers that the user has not named.
    """

    def opened(spec: str | None) -> tuple[Chat, str]:
        return ask_blocking(
            lambda: _opened(spec, seed, settings, env, may_send),
            patience_seconds=patience,
            on_retry=_say_so,
            lost=Loading,
        )

    first, why = opened(fast)
    if strong == fast:
        return (first, first), (why,)
    second, why_too = opened(strong)
    if second.spec == first.spec:
        return (first, first), (why,)
    check_tiers(first, second)
    return (first, second), (f"fast: {why}", f"strong: {why_too}")


def _opened(
    spec: str | None,
    seed: int,
    settings: Settings | None,
    env: Mapping[str, str] | None,
    may_send: MaySend,
) -> tuple[Chat, str]:
    """Return the chat, and why it was taken in words that fit on a line."""
    chat, why = open_chat(spec, settings=settings, seed=seed, env=env, may_send=may_send)
    if spec is None and chat.spec.startswith("standin") and "no Ollama answers" in why:
        why = f"{chat.spec} (no Ollama and no llama.cpp server answers here)"
    return chat, why


def _say_so(error: TransportError, seconds: float) -> None:
    """Say what is waited for, and when it is looked at again."""
    told = str(error).removesuffix(": try again in a moment.")
    say(f"{told}. {again_in(seconds)}", "dim", on_stderr=True)
