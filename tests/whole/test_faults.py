"""A server that fails in every way there is: the finished run is the undisturbed one."""

import asyncio
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path

import pytest

from smolville.agents.errors import StoppedError
from smolville.graphs.loop import model_client
from smolville.graphs.loop.ledger import Call
from smolville.history.calls import LISTING, Unpacker, read_call
from smolville.history.folder import RunFolder
from smolville.history.observers import RunObserver
from smolville.history.reader import RunReader
from smolville.models.cache import ReplyCache
from smolville.models.chat import Chat
from smolville.models.open import open_chat
from smolville.models.pacing import Backoff
from smolville.models.request import ModelSettings
from smolville.models.standin.model import StandIn
from smolville.world.run_request import RunRequest
from smolville.world.run_resources import RunResources
from smolville.world.simulation import open_simulation
from tests.fixtures.fault_injector import ALWAYS, Injector, injected
from tests.fixtures.faults import PASSING, closed, unread
from tests.fixtures.pauses import Pauses
from tests.fixtures.standin_server import StandInServer, serve_standin, teaching
from tests.fixtures.waiting import HANGING
from tests.fixtures.warm import run_warm
from tests.whole.lives import HOUR, begin, differing, live, parts, standin

PROTOCOLS = ("llamacpp", "ollama")
UNTIL = 10 * HOUR
ROOT = Path(__file__).parents[2]
STALLS = ("stall", "stall_midway")
HASTY = {"first_seconds": 0.005, "longest_seconds": 0.1}
TIRELESS = Backoff(clock=lambda: 0.0, **HASTY)
"""Its patience never ends: by its clock no time passes."""


@dataclass(frozen=True)
class Town:
    """What all of these runs are: asked for in the same way, and lived once with nobody between."""

    asked: RunRequest
    server: StandInServer
    plain: dict[str, str]
    """The digest's parts with the stand-in itself."""
    folders: Path

    def chat(self, protocol: str, url: str, timeout: float = HANGING) -> Chat:
        """The stand-in through one protocol, at an address."""
        settings = ModelSettings(num_ctx=32768, timeout=timeout)
        spec = "ollama:stand-in" if protocol == "ollama" else f"llamacpp:{url}"
        env = {"OLLAMA_HOST": url, "OLLAMA_NUM_PARALLEL": "4"}
        chat, _ = open_chat(spec, settings=settings, env=env)
        # The address is part of the spec, and no part of what is compared.
        return replace(chat, spec=f"{protocol}:stand-in")

    def begin(self, name: str, chat: Chat) -> RunFolder:
        """A run's folder."""
        return begin(self.folders, name, self.asked, chat)


@pytest.fixture(scope="module")
def home(small: RunRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """The town, and the server that knows everything its people ask on that day."""
    asked = replace(small, seed=3, cast=2)
    folders = tmp_path_factory.mktemp("faults")
    chat = standin(asked.seed, "standin:mistakes=0.5")
    folder = begin(folders, "plain", asked, chat)
    live(folder, UNTIL, chat)
    assert isinstance(chat.model, StandIn)
    with serve_standin(chat.model) as server:
        teach(server, folder)
        yield Town(asked, server, parts(folder), folders)


def calls_of(folder: RunFolder) -> list[Call]:
    """Every call that a run kept."""
    with RunReader(folder) as reader:
        rows = reader.connection.execute(f"SELECT {LISTING} FROM calls").fetchall()
        return [read_call(row, Unpacker(reader.connection)) for row in rows]


def teach(server: StandInServer, folder: RunFolder) -> None:
    """Tell the server what stands behind everything that a run asked."""
    calls = calls_of(folder)
    for call in calls:
        server.learn(json.loads(call.messages), call.key.step, json.loads(call.inputs))
    assert {call.key.attempt for call in calls} > {0}, "nothing was repaired on this day"


def endure(
    folder: RunFolder,
    chat: Chat,
    backoff: Backoff = TIRELESS,
    cache: ReplyCache | None = None,
    watch: RunObserver | None = None,
) -> None:
    """Live a run with a patience of its own."""

    async def lived() -> None:
        try:
            await simulation.run(UNTIL)
        finally:
            await chat.aclose()

    with open_simulation(
        folder, (chat, chat), watch, means=RunResources(backoff=backoff, cache=cache)
    ) as simulation:
        asyncio.run(lived())


@pytest.fixture(scope="module")
def undisturbed(home: Town) -> dict[str, dict[str, str]]:
    """The digest's parts over each protocol, with nothing in between."""
    digests = {}
    for protocol in PROTOCOLS:
        chat = home.chat(protocol, home.server.url)
        folder = home.begin(f"undisturbed-{protocol}", chat)
        endure(folder, chat)
        digests[protocol] = parts(folder)
    return digests


@pytest.fixture
def between(home: Town) -> Iterator[Injector]:
    """What stands in between and loses calls."""
    with injected(home.server.url) as injector:
        home.server.asked.clear()
        yield injector


def retried(folder: RunFolder) -> tuple[int, int, list[str]]:
    """How many calls were asked again, how often in all, and what was wrong each time."""
    calls = calls_of(folder)
    lost = [json.loads(call.lost) for call in calls]
    assert [len(each) for each in lost] == [call.retries for call in calls]
    sentences = [sentence for each in lost for sentence in each]
    return sum(bool(each) for each in lost), len(sentences), sentences


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_lives_the_same_day_as_the_stand_in_itself(
    home: Town, undisturbed: dict[str, dict[str, str]], protocol: str
) -> None:
    assert differing(home.plain, undisturbed[protocol]) == ["calls"]


@pytest.mark.parametrize(("fault", "protocol"), [*zip(PASSING, cycle(PROTOCOLS), strict=False)])
def test_after_every_kind_of_fault_the_run_is_the_undisturbed_one(
    home: Town,
    undisturbed: dict[str, dict[str, str]],
    between: Injector,
    fault: str,
    protocol: str,
) -> None:
    between.fault = PASSING[fault]
    between.every, between.times = (8, 1) if fault in STALLS else (8, 2)
    chat = home.chat(protocol, between.url, timeout=1.0 if fault in STALLS else HANGING)
    folder = home.begin(f"{fault}-{protocol}", chat)
    endure(folder, chat)
    assert differing(undisturbed[protocol], parts(folder)) == []
    calls, times, sentences = retried(folder)
    assert between.struck >= 2
    assert calls >= 2
    assert times >= between.struck
    assert all(sentence.endswith((".", "?")) or ":" in sentence for sentence in sentences)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_a_server_cannot_read_of_its_model_is_repaired_and_asked_once(
    home: Town, between: Injector, protocol: str, tmp_path: Path
) -> None:
    between.fault, between.every, between.times = unread, 5, ALWAYS
    with serve_standin() as server:
        between.backend = server.url
        chat = teaching(home.chat(protocol, between.url), server)
        folder = begin(tmp_path, "unread", home.asked, chat)
        endure(folder, chat, Pauses().backoff())
    calls = calls_of(folder)
    kept = [call for call in calls if "<tool_call>" in call.reply or call.reply.startswith("Well")]
    assert len(kept) == between.struck >= 2
    assert {call.finish for call in kept} == {"stop" if protocol == "ollama" else "unreadable"}
    assert retried(folder)[:2] == (0, 0)
    with RunReader(folder) as reader:
        outcomes = [row[0] for row in reader.connection.execute("SELECT outcome FROM steps")]
    assert "repaired" in outcomes


@pytest.mark.parametrize(
    ("fault", "protocol"), [("away", "ollama"), ("loading", "llamacpp"), ("closed", "ollama")]
)
def test_a_fault_that_outlasts_patience_stops_the_run_and_nothing_is_asked_twice(
    home: Town,
    undisturbed: dict[str, dict[str, str]],
    between: Injector,
    protocol: str,
    fault: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    between.fault = {**PASSING, "closed": closed}[fault]
    between.first, between.every, between.times = 10, 1, ALWAYS
    # The tenth answer is on its way while the eleventh question is turned down.
    between.late = 0.1 if fault == "closed" else 0.0
    monkeypatch.setattr(model_client, "LAST_SECONDS", HANGING)
    chat = home.chat(protocol, between.url)
    folder = home.begin(f"{fault}-for-good-{protocol}", chat)
    with pytest.raises(StoppedError) as caught:
        endure(folder, chat, Pauses().backoff(patience_seconds=0.1, **HASTY))
    told = str(caught.value)
    assert told.endswith("Everything up to the last commit is saved.")
    tried = "wants to be left alone for 3 hours." if fault == "closed" else "It was asked "
    assert tried in told
    answered = len(home.server.asked)
    with RunReader(folder) as reader:
        assert reader.faults() == []
    assert 0 < len(calls_of(folder)) == answered

    between.mend()
    endure(folder, home.chat(protocol, between.url))
    assert differing(undisturbed[protocol], parts(folder)) == []
    assert set(home.server.asked.values()) == {1}, "what had been answered was asked again"
    assert len(home.server.asked) > answered


def smolville(runs: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, with settings from its environment alone."""
    env = {name: text for name, text in os.environ.items() if not name.startswith("SMOLVILLE_")}
    return run_warm(["-m", "smolville.cli.main", *words, "--runs", runs], ROOT, {**env, **settings})


def test_the_command_stops_when_patience_is_over_and_goes_on_when_told_to(
    home: Town, between: Injector, tmp_path: Path
) -> None:
    between.fault, between.first, between.every, between.times = PASSING["loading"], 5, 1, ALWAYS
    settings = {"SMOLVILLE_PATIENCE": "0.8", "SMOLVILLE_EXAMPLES": "0"}
    where = ("--town", str(home.asked.town), "--cast", "2", "--seed", "3", "--for", "10h")
    quiet = ("--quiet",)
    model = ("--model", f"llamacpp:{between.url}")
    stopped = smolville(tmp_path, "run", "amber", *where, *model, *quiet, **settings)
    assert stopped.returncode == 1, stopped.stderr
    told = stopped.stderr.strip().splitlines()[-1]
    assert "answered with status 503: Loading model. It was asked " in told
    assert "Everything up to the last commit is saved. Go on with:" in told
    assert "smolville run amber --resume" in told
    answered = len(home.server.asked)

    between.mend()
    between.fault, between.every, between.times = PASSING["busy"], 6, 1
    done = smolville(tmp_path, "run", "amber", "--resume", *quiet, SMOLVILLE_EXAMPLES="0")
    assert done.returncode == 0, done.stderr
    folder = RunFolder.open(tmp_path, "amber")
    assert differing(home.plain, parts(folder)) == ["calls"]
    assert retried(folder)[0] > 0, "nothing was lost on the way"
    assert set(home.server.asked.values()) == {1}, "what had been answered was asked again"
    assert len(home.server.asked) > answered >= 5
