"""Servers that fail, hang up or take too long are findings of the doctor, never crashes."""

import tomllib
from dataclasses import replace

import pytest

from smolville.lab.doctor.bounded import ProbeLimits, TimeLeft, run_in_thread
from smolville.lab.doctor.estimate import by_the_way, pace_of
from smolville.lab.doctor.examine import examine
from smolville.lab.doctor.findings import (
    ContextFound,
    ExaminedModel,
    Findings,
    SchemaFound,
    SpeedFound,
)
from smolville.lab.doctor.findings_text import model_finding
from smolville.models.errors import SpecError
from smolville.models.reply import Reply
from smolville.models.request import ModelSettings
from tests.fixtures.fault_injector import ALWAYS, Injector, injected
from tests.fixtures.faults import PASSING
from tests.fixtures.faulty_server import serve_faults, serve_hang_ups
from tests.fixtures.ollama_server import OllamaFake
from tests.lab.careless import as_it_is, saying, serve_careless
from tests.lab.looking import NAMES, PATIENT, commands, look, nowhere, profile_of, told


@pytest.mark.parametrize("way", ["broken", "busy", "locked", "lost", "overflow", "page"])
@pytest.mark.parametrize("kind", ["ollama", "llamacpp"])
async def test_a_server_that_fails_is_a_finding(kind: str, way: str) -> None:
    with serve_faults() as url:
        if kind == "ollama":
            found = await look("ollama:m", f"{url}/{way}")
        else:
            found = await look(f"llamacpp:{url}/{way}")
    assert not found.usable
    assert found.model.problem
    assert told(found, "model") == found.model.problem
    assert found.advice


async def test_a_server_that_hangs_up_is_a_finding() -> None:
    with serve_hang_ups() as url:
        found = await look(f"llamacpp:{url}", url)
    assert not found.usable
    assert all(server.problem for server in found.servers)


async def test_a_probe_out_of_time_is_a_finding(short_url: str) -> None:
    found = await examine(
        f"llamacpp:{short_url}",
        {"OLLAMA_HOST": nowhere()},
        ModelSettings(),
        probes=ProbeLimits(schema=0.0, context=0.0, speed=0.0),
    )
    assert found.usable
    for probe in ("schema", "context", "speed"):
        assert "there was no time left for it" in told(found, probe)
    assert profile_of(found)["constrain"] == "auto"


async def test_a_spec_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(SpecError, match="Did you mean ollama:x"):
        await look("olama:x")


def at_once(injector: Injector, name: str, times: int = 1) -> Injector:
    """Let the first question and each fourth be lost so often; if always, then all of them."""
    every = 1 if times == ALWAYS else 4
    injector.fault, injector.every, injector.times = PASSING[name], every, times
    injector.first = 1 - every
    injector.paths = ("/props", "/v1/chat/completions")
    return injector


@pytest.mark.parametrize("name", ["loading", "busy", "broken", "error_page", "away", "hang_up"])
async def test_a_fault_that_passes_is_waited_for(short_url: str, name: str) -> None:
    heard: list[str] = []
    with injected(short_url) as injector:
        at_once(injector, name)
        found = await examine(
            f"llamacpp:{injector.url}",
            {"OLLAMA_HOST": nowhere()},
            ModelSettings(),
            probes=replace(PATIENT, patience=20, speed=0.0, context=0.0),
            on_retry=lambda error, seconds: heard.append(str(error)),
        )
    assert found.usable, found.model.problem
    assert heard
    assert tomllib.loads(found.settings)["model"] == f"llamacpp:{injector.url}"


async def test_a_fault_that_stays_is_told_and_recommends_nothing(short_url: str) -> None:
    with injected(short_url) as injector:
        found = await look(f"llamacpp:{at_once(injector, 'loading', ALWAYS).url}")
    assert not found.usable
    assert "loading" in found.model.problem
    assert found.settings == ""
    assert injector.struck > 1, "it was asked again"


async def test_ollama_that_fails_once_is_found_where_no_model_is_named(
    ollama_server: OllamaFake,
) -> None:
    with injected(ollama_server.url) as injector:
        at_once(injector, "loading").paths = ("/api/tags", "/api/chat")
        found = await look(None, injector.url)
    assert found.usable
    assert found.model.spec.startswith("ollama:")


@pytest.mark.parametrize("text", ["", " \n "])
async def test_a_model_that_answers_with_nothing_cannot_be_used(short_url: str, text: str) -> None:
    with serve_careless(short_url, as_it_is, saying(text)) as url:
        found = await look(f"llamacpp:{url}")
    assert not found.usable
    assert found.settings == ""
    assert "every reply is empty" in told(found, "model")
    assert [each.mark for each in found.findings if each.probe == "model"] == ["bad"]


async def test_a_model_that_never_writes_what_it_is_asked_for_is_told(short_url: str) -> None:
    with serve_careless(short_url, as_it_is, saying("I am glad to help you!")) as url:
        found = await look(f"llamacpp:{url}")
    assert found.usable
    [verdict] = [each for each in found.findings if each.probe == "answers"]
    assert verdict.mark == "bad"
    assert "None of its replies is the JSON" in verdict.text
    assert "'I am glad to help you!'" in verdict.text


@pytest.mark.parametrize("path", ["/props", "/v1/chat/completions"])
async def test_a_server_that_says_nothing_is_not_waited_for_longer_than_the_doctor_has(
    short_url: str, path: str
) -> None:
    with injected(short_url) as injector:
        at_once(injector, "stall", ALWAYS).paths = (path,)
        found = await examine(
            f"llamacpp:{injector.url}",
            {"OLLAMA_HOST": nowhere()},
            ModelSettings(),
            probes=replace(PATIENT, seconds=2, patience=0),
        )
    assert not found.usable
    assert "in the time that the doctor takes" in told(found, "model")
    assert "Look again" in found.advice[0].text
    assert commands(found) == f"smolville doctor --model llamacpp:{injector.url}"


def test_what_a_probe_does_not_need_is_left_for_those_behind_it() -> None:
    time_left = TimeLeft(ProbeLimits(seconds=100, **dict.fromkeys(NAMES, 1000.0)))
    shares = [time_left.of(name) for name in NAMES[3:]]
    assert shares == sorted(shares), "each would get more if it were the next one"
    assert shares[-1] > 99
    assert TimeLeft(ProbeLimits(seconds=100)).of("embedder") == 30


async def test_a_thread_hands_over_what_it_returns_or_raises() -> None:
    def fails() -> int:
        raise SpecError("no")

    assert await run_in_thread(lambda: 3) == 3
    with pytest.raises(SpecError, match="no"):
        await run_in_thread(fails)


async def test_nobody_is_sent_to_the_stand_in_by_a_server_that_is_busy(
    ollama_server: OllamaFake,
) -> None:
    with injected(ollama_server.url) as injector:
        at_once(injector, "loading", ALWAYS).paths = ("/api/tags",)
        found = await look(None, injector.url)
    assert not found.usable
    assert found.settings == ""
    assert commands(found) == "smolville doctor"
    assert "model standin" not in str(found.plain())


def test_the_pace_is_told_by_other_replies_where_its_probes_ran_out_of_time() -> None:
    replies = [
        Reply(text="", prompt_tokens=20, prompt_ms=400, completion_tokens=2, reply_ms=500),
        Reply(
            text="",
            prompt_tokens=120,
            cached_tokens=20,
            prompt_ms=1000,
            completion_tokens=30,
            reply_ms=3000,
        ),
        Reply(text=""),
    ]
    late = "not finished within 9 seconds"
    context, speed = by_the_way(replies, ContextFound(problem=late), SpeedFound(problem=late))
    pace = pace_of(context, speed, slots=1)
    assert pace is not None
    assert (pace.reading, pace.writing) == (100, 10)
    unknown, none = by_the_way(replies[2:], ContextFound(), SpeedFound())
    assert pace_of(unknown, none, slots=1) is None


def test_a_model_that_wrote_nothing_is_not_called_good_where_no_more_was_seen() -> None:
    found = Findings(
        asked=None,
        usable=True,
        model=ExaminedModel(name="tiny", server="Ollama", wrote=False),
        schema=SchemaFound(problem="not finished within 9 seconds"),
    )
    assert model_finding(found).mark == "unknown"
    assert "its first reply was empty" in model_finding(found).text
