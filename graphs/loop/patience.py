"""Ask a server for as long as patience lasts, then stop the run with a sentence."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from agents.errors import StoppedError
from models.backoff import Backoff, ask_with_backoff
from models.errors import TransportError

T = TypeVar("T")


async def patiently(
    ask: Callable[[], Awaitable[T]],
    backoff: Backoff,
    lost: Callable[[TransportError, float], None],
) -> T:
    """Return what `ask()` gives; StoppedError when the server went away for good.

    `lost` hears of every call that is asked again, and of the pause before.
    """
    paused: list[float] = []

    def noted(error: TransportError, seconds: float) -> None:
        paused.append(seconds)
        lost(error, seconds)

    try:
        return await ask_with_backoff(ask, backoff=backoff, on_retry=noted)
    except TransportError as error:
        raise StoppedError(_gave_up(error, paused)) from error


def _gave_up(error: TransportError, paused: Sequence[float]) -> str:
    """Return the sentence for a run that stops here: what is wrong, what was tried, what is kept.

    Whoever runs the town says how to go on.
    """
    tried = ""
    if paused:
        tries, rest = len(paused) + 1, _span(sum(paused))
        tried = f" It was asked {tries} times, with pauses of {rest} in all."
    if error.retryable and error.retry_after:
        tried += f" It wants to be left alone for {_span(error.retry_after)}."
    told = str(error).rstrip()
    ended = told if told.endswith((".", "?", "!")) else f"{told}."
    return f"{ended}{tried} Everything up to the last commit is saved."


def _span(seconds: float) -> str:
    """Return a length of time in words."""
    if seconds < 100:
        return f"{seconds:.3g} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 100 else f"{round(minutes / 60)} hours"
