"""Every way in which a call gets lost, as one sentence and whether it is worth asking again."""

from collections.abc import Iterator

import pytest
from langchain_core.messages import HumanMessage

from smolville.graphs.catalogue import SAMPLES
from smolville.models.chat import Chat
from smolville.models.errors import ModelError, TransportError
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from smolville.models.standin.model import StandIn
from tests.fixtures.fault_injector import ALWAYS, Injector, injected
from tests.fixtures.faults import PASSING, Exchange, Fault
from tests.fixtures.standin_server import serve_standin
from tests.fixtures.waiting import HANGING

PROTOCOLS = ("llamacpp", "ollama")
SAID = {
    "away": "broke the connection off",
    "hang_up": "broke the connection off",
    "cut": "broke the connection off",
    "stall": "did not answer in time",
    "stall_midway": "did not answer in time",
    "broken": "answered with status 500: llama runner process has terminated",
    "loading": "answered with status 503: Loading model",
    "busy": "answered with status 429",
    "busy_until": "answered with status 429",
    "page": "answer",
    "error_page": "answered with status 502",
    "garbage": "answer",
    "odd": "does not answer as a chat server does",
    "nothing": "does not answer as a chat server does",
}
STEP = "heed_inner_voice"
HELLO = [HumanMessage("Hello.")]


@pytest.fixture(scope="module")
def injector() -> Iterator[Injector]:
    """What stands in front of a server that would answer, and loses every chat."""
    inputs = SAMPLES[STEP].model_dump(mode="json")
    with serve_standin(StandIn(grounded=False)) as server:
        server.learn([{"role": "user", "content": "Hello."}], STEP, inputs)
        with injected(server.url) as between:
            yield between


async def failures(
    injector: Injector, protocol: str, fault: Fault, calls: int = 1
) -> list[ModelError]:
    """What so many calls raise, one after another."""
    injector.mend()
    injector.fault, injector.every, injector.times = fault, 1, ALWAYS
    is_stall = fault in (PASSING["stall"], PASSING["stall_midway"])
    chat = open_at(protocol, injector.url, timeout=0.3 if is_stall else HANGING)
    found = []
    for _ in range(calls):
        with pytest.raises(ModelError) as caught:
            await chat.ask(HELLO, max_tokens=8)
        found.append(caught.value)
    await chat.aclose()
    return found


def open_at(protocol: str, url: str, timeout: float = HANGING) -> Chat:
    """A chat with the server at an address."""
    settings = ModelSettings(timeout=timeout)
    if protocol == "llamacpp":
        return open_chat(f"llamacpp:{url}", settings=settings)[0]
    return open_chat("ollama:stand-in", settings=settings, env={"OLLAMA_HOST": url})[0]


@pytest.mark.parametrize(
    ("protocol", "name"),
    [*(("llamacpp", name) for name in PASSING), ("ollama", "cut"), ("ollama", "broken")],
)
async def test_a_call_that_got_lost_is_worth_asking_again(
    injector: Injector, protocol: str, name: str
) -> None:
    (error,) = await failures(injector, protocol, PASSING[name])
    assert isinstance(error, TransportError)
    assert error.retryable
    assert SAID[name] in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_while_nobody_listens_calls_are_refused(injector: Injector, protocol: str) -> None:
    _, second, third = await failures(injector, protocol, PASSING["away"], 3)
    for error in (second, third):
        assert isinstance(error, TransportError)
        assert error.retryable
        assert "refuses the connection: is it running?" in str(error)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("told", "seconds"), [("7", 7), ("0.5", 0.5), ("soon", None)])
async def test_how_long_to_wait_is_told_in_seconds(
    injector: Injector, protocol: str, told: str, seconds: float | None
) -> None:
    async def busy(exchange: Exchange) -> None:
        exchange.refuse("429 Too Many Requests", "too many requests", f"retry-after: {told}")

    (error,) = await failures(injector, protocol, busy)
    assert isinstance(error, TransportError)
    assert (error.retryable, error.retry_after) == (True, seconds)
