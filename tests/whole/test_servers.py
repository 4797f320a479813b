"""A model with two servers: the day is the same whichever answers, also when one of them dies."""

import itertools
from collections.abc import Iterator

import pytest

from smolville.agents.errors import StoppedError
from smolville.history.folder import RunFolder
from smolville.history.observers import RunObserver
from smolville.history.reader import RunReader
from smolville.models.chat import Chat
from smolville.models.open import open_chat
from smolville.models.pacing import Backoff
from smolville.models.pool import pool
from smolville.models.request import ModelSettings
from smolville.reports.health import Health, health
from tests.fixtures.fault_injector import ALWAYS, Injector, injected
from tests.fixtures.faults import PASSING
from tests.fixtures.pauses import Pauses
from tests.fixtures.standin_server import StandInServer, serve_standin
from tests.fixtures.waiting import HANGING
from tests.whole.lives import differing, parts
from tests.whole.test_faults import (
    HASTY,
    TIRELESS,
    Town,
    calls_of,
    endure,
    home,
    undisturbed,
)

__all__ = ["home", "undisturbed"]


class ServerNews(RunObserver):
    """What is told about servers."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def on_server(self, sentence: str) -> None:
        """Note a sentence."""
        self.told.append(sentence)


@pytest.fixture
def alone(undisturbed: dict[str, dict[str, str]]) -> dict[str, str]:
    """The digest's parts of the day with one llama.cpp server."""
    return undisturbed["llamacpp"]


@pytest.fixture
def second(home: Town) -> Iterator[StandInServer]:
    """A second server with the same model, which knows the same."""
    home.server.asked.clear()
    with serve_standin(home.server.model) as server:
        server.known = home.server.known
        yield server


@pytest.fixture
def between(second: StandInServer) -> Iterator[Injector]:
    """What stands in front of the second server and loses calls, at first none."""
    with injected(second.url) as injector:
        injector.every = 0
        yield injector


def of_two(home: Town, *urls: str, protocol: str = "llamacpp") -> Chat:
    """The model with servers at these addresses; its name is that of a single server's."""
    settings = ModelSettings(num_ctx=32768, timeout=HANGING)
    form = {"llamacpp": "llamacpp:{}", "ollama": "ollama:stand-in?host={},slots=4"}[protocol]
    chats = [open_chat(form.format(url), settings=settings, env={})[0] for url in urls]
    return pool(chats, f"{protocol}:stand-in")


def health_of(folder: RunFolder) -> Health:
    """The counts of a run."""
    with RunReader(folder) as reader:
        assert reader.faults() == []
        return health(reader)


def assert_each_answered_once(home: Town, second: StandInServer) -> None:
    """Assert that no question was answered twice, whichever server did."""
    assert set((home.server.asked + second.asked).values()) == {1}


def test_two_servers_live_the_day_that_one_lives(
    home: Town, alone: dict[str, str], second: StandInServer
) -> None:
    chat = of_two(home, home.server.url, second.url)
    folder = home.begin("two", chat)
    endure(folder, chat)
    assert differing(alone, parts(folder)) == []
    assert_each_answered_once(home, second)
    found = health_of(folder)
    counted = (len(home.server.asked), len(second.asked))
    specs = (each.spec for each in chat.servers)
    answered = {spec: part.recorded for spec, part in found.servers.items()}
    assert answered == {spec: count for spec, count in zip(specs, counted, strict=True) if count}
    assert all(counted), "one server did nothing"
    assert sum(answered.values()) == found.total.recorded == len(calls_of(folder))
    assert list(found.models) == ["llamacpp:stand-in"]


def test_a_server_that_is_stopped_in_the_middle_changes_nothing(
    home: Town, undisturbed: dict[str, dict[str, str]], second: StandInServer, between: Injector
) -> None:
    between.fault, between.first, between.every, between.times = PASSING["away"], 3, 1, ALWAYS
    chat = of_two(home, home.server.url, between.url, protocol="ollama")
    folder, news = home.begin("one-dies", chat), ServerNews()
    endure(folder, chat, watch=news)
    assert differing(undisturbed["ollama"], parts(folder)) == []
    assert_each_answered_once(home, second)
    found = health_of(folder)
    left, died = (found.servers[each.spec] for each in chat.servers)
    assert (left.retries, left.recorded) == (0, len(home.server.asked))
    assert died.retries == found.total.retries >= 1
    assert died.recorded == len(second.asked) == 3
    assert found.total.outcomes["fallback"] == 0
    assert len(news.told) == 1
    assert between.url in news.told[0]
    assert news.told[0].endswith("Its calls go to the other servers until it answers again.")


def test_a_server_that_fails_for_a_while_is_asked_again(
    home: Town, alone: dict[str, str], second: StandInServer, between: Injector
) -> None:
    between.fault, between.every, between.times = PASSING["busy"], 2, 1
    chat = of_two(home, home.server.url, between.url)
    folder, news = home.begin("for-a-while", chat), ServerNews()
    seconds = itertools.count()
    endure(folder, chat, Backoff(clock=lambda: float(next(seconds)), **HASTY), watch=news)
    assert differing(alone, parts(folder)) == []
    assert news.told[1] == f"llama.cpp's server at {between.url} answers again."
    assert between.struck >= 2
    assert health_of(folder).servers[chat.servers[1].spec].retries == between.struck


def test_when_all_servers_are_gone_the_run_stops_and_goes_on_later(
    home: Town, alone: dict[str, str], second: StandInServer, between: Injector
) -> None:
    with injected(home.server.url) as first:
        for each in (first, between):
            each.fault, each.first, each.every, each.times = PASSING["away"], 4, 1, ALWAYS
        chat = of_two(home, first.url, between.url)
        folder = home.begin("all-gone", chat)
        with pytest.raises(StoppedError) as caught:
            endure(folder, chat, Pauses().backoff(patience_seconds=3.0, **HASTY))
        assert "refuses the connection: is it running? It was asked " in str(caught.value)
        assert str(caught.value).endswith("Everything up to the last commit is saved.")
        lost = {spec: part.retries for spec, part in health_of(folder).servers.items()}
        assert all(lost[each.spec] > 0 for each in chat.servers), "each was tried again"
        assert sum(lost.values()) == health_of(folder).total.retries
        for each in (first, between):
            each.mend()
        endure(folder, of_two(home, first.url, between.url), TIRELESS)
    assert differing(alone, parts(folder)) == []
    assert_each_answered_once(home, second)
