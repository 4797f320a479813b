"""Asking again after a lost call."""

import pytest

from smolville.models.errors import (
    ConnectionRefused,
    ModelError,
    ModelLoading,
    PromptCut,
    TransportError,
    UnreadableReply,
)
from smolville.models.pacing import Backoff, ask_with_backoff
from tests.fixtures.pauses import Pauses

FOREVER = 10_000


class Script(Pauses):
    """A call that fails as written, each time after so many seconds, and then answers."""

    def __init__(self, *failures: ModelError, takes: float = 0.0) -> None:
        super().__init__()
        self.failures = list(failures)
        self.takes = takes
        self.calls = 0

    async def ask(self) -> str:
        self.calls += 1
        self.now += self.takes
        if self.failures:
            raise self.failures.pop(0)
        return "hello"


def lost(times: int, **more: float) -> list[TransportError]:
    """So many failures, each with its number."""
    return [TransportError(f"lost {n}", retry_after=more.get("after")) for n in range(1, times + 1)]


async def test_a_lost_call_is_asked_again_with_growing_pauses() -> None:
    script = Script(*lost(3))
    heard: list[float] = []
    text = await ask_with_backoff(
        script.ask, backoff=script.backoff(), on_retry=lambda _, pause: heard.append(pause)
    )
    assert text == "hello"
    assert script.slept == heard == [0.5, 1.0, 2.0]


async def test_patience_is_counted_in_seconds_and_its_last_one_is_used() -> None:
    script = Script(*lost(FOREVER))
    with pytest.raises(TransportError, match=r"^lost 10$"):
        await ask_with_backoff(script.ask, backoff=script.backoff())
    assert script.slept == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 28.5]
    assert script.now == Backoff().patience_seconds


async def test_a_failure_of_another_kind_begins_with_short_pauses_again() -> None:
    gone = [ConnectionRefused("nobody listens") for _ in range(3)]
    loading = [ModelLoading("the model is loading") for _ in range(3)]
    script = Script(*gone, *loading)
    assert await ask_with_backoff(script.ask, backoff=script.backoff()) == "hello"
    assert script.slept == [0.5, 1.0, 2.0, 0.5, 1.0, 2.0]


async def test_a_call_that_stalls_for_longer_than_patience_is_asked_once_more() -> None:
    script = Script(*lost(FOREVER), takes=600.0)
    with pytest.raises(TransportError):
        await ask_with_backoff(script.ask, backoff=script.backoff())
    assert script.calls == 2


@pytest.mark.parametrize(
    ("after", "slept"),
    [
        (42.0, [42.0, 42.0]),
        (0.0, [0.5, 1.0]),
        (0.7, [0.7, 1.0]),
    ],
)
async def test_a_server_is_never_asked_sooner_than_it_wants(
    after: float, slept: list[float]
) -> None:
    script = Script(*lost(2, after=after))
    assert await ask_with_backoff(script.ask, backoff=script.backoff()) == "hello"
    assert script.slept == slept


@pytest.mark.parametrize(
    "error",
    [
        TransportError("locked", retryable=False),
        TransportError("come back tomorrow", retry_after=86400.0),
        PromptCut("too long"),
        UnreadableReply("not JSON"),
    ],
)
async def test_what_waiting_does_not_mend_is_raised_at_once(error: ModelError) -> None:
    script = Script(error)
    with pytest.raises(type(error)):
        await ask_with_backoff(script.ask, backoff=script.backoff())
    assert script.calls == 1
    assert script.slept == []
