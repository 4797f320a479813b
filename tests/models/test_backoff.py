"""Asking again after a lost call."""

import pytest

from models.backoff import Backoff, ask_with_backoff
from models.errors import ModelError, PromptCut, TransportError, UnreadableReply


class Script:
    """A call that fails as written and then answers."""

    def __init__(self, *failures: ModelError) -> None:
        self.failures = list(failures)
        self.calls = 0
        self.pauses: list[float] = []

    async def ask(self) -> str:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return "hello"

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


async def test_a_lost_call_is_asked_again_with_growing_pauses() -> None:
    script = Script(*[TransportError("lost") for _ in range(3)])
    heard: list[float] = []
    text = await ask_with_backoff(
        script.ask, sleep=script.sleep, on_retry=lambda _, pause: heard.append(pause)
    )
    assert text == "hello"
    assert script.pauses == heard == [0.5, 1.0, 2.0]


async def test_the_number_of_calls_is_bounded() -> None:
    script = Script(*[TransportError(f"lost {n}") for n in range(9)])
    with pytest.raises(TransportError, match="lost 2"):
        await ask_with_backoff(script.ask, backoff=Backoff(tries=3), sleep=script.sleep)
    assert script.calls == 3


async def test_the_pauses_are_bounded() -> None:
    script = Script(*[TransportError("lost") for _ in range(9)])
    await ask_with_backoff(
        script.ask, backoff=Backoff(tries=10, longest_seconds=4), sleep=script.sleep
    )
    assert script.pauses == [0.5, 1.0, 2.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0]


async def test_what_the_server_asks_for_is_honoured() -> None:
    script = Script(TransportError("busy", retry_after=42.0))
    await ask_with_backoff(script.ask, sleep=script.sleep)
    assert script.pauses == [42.0]


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
        await ask_with_backoff(script.ask, sleep=script.sleep)
    assert script.calls == 1
    assert script.pauses == []
