"""The doctor, against real servers, careless and failing ones, and where nothing answers."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smolville.lab.doctor.examine import ProbeLimits, examine
from smolville.lab.doctor.findings import PROBES, Findings, advise
from smolville.lab.doctor.findings import profile_of as recommended
from smolville.lab.doctor.servers import ServerSeen, find_local_models, model_folders
from smolville.models.errors import SpecError
from smolville.models.open import warn_if_small
from smolville.models.request import ModelSettings
from smolville.models.servers.ollama import ServedModel
from smolville.models.spec import parse_spec
from tests.fixtures.fault_injector import ALWAYS, Injector, injected
from tests.fixtures.faults import PASSING
from tests.fixtures.faulty_server import serve_faults, serve_hang_ups
from tests.fixtures.llamacpp import serve_gguf
from tests.fixtures.loopback import free_port
from tests.fixtures.ollama_server import OllamaFake
from tests.fixtures.tiny_gguf import NO_SYSTEM_TEMPLATE, write_tiny_gguf
from tests.fixtures.waiting import HANGING
from tests.lab.careless import (
    CONTEXT,
    SLOTS,
    SMALL,
    as_it_is,
    cut,
    saying,
    serve_careless,
    serve_small,
    without_schema,
)

PATIENT = ProbeLimits(patience=0.3, seconds=80 * HANGING)
"""No probe is cut short here, however slow the machine; a lost call is asked again once or so."""


def nowhere() -> str:
    """An address at which nothing listens."""
    return f"http://127.0.0.1:{free_port()}"


@pytest.fixture(autouse=True)
def few_calls(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Measure the speed with three short calls, except in the test of all probes."""
    if "llamacpp_is_examined" not in request.node.name:
        monkeypatch.setattr("smolville.lab.doctor.examine.AT_ONCE", (1, 2))
        monkeypatch.setattr("smolville.lab.doctor.examine.SPEED_TOKENS", 8)


async def look(
    spec: str | None, ollama: str = "", *, num_ctx: int = 8192, limits: ProbeLimits = PATIENT
) -> Findings:
    """The findings about a spec, with Ollama at an address (or nowhere)."""
    env, settings = {"OLLAMA_HOST": ollama or nowhere()}, ModelSettings(num_ctx=num_ctx)
    return await examine(spec, env, settings, llamacpp_url=nowhere(), probes=limits)


def told(found: Findings, probe: str) -> str:
    """What is said about a probe."""
    return " ".join(each.text for each in found.findings if each.probe == probe)


def commands(found: Findings) -> str:
    """All commands of the advice."""
    return "\n".join(each.command for each in found.advice)


def profile_of(found: Findings) -> dict[str, Any]:
    """The profile of the model in the recommended settings."""
    profiles: dict[str, dict[str, Any]] = tomllib.loads(found.settings)["profiles"]
    return profiles[found.spec]


async def test_llamacpp_is_examined_by_every_probe(short_url: str) -> None:
    found = await look(f"llamacpp:{short_url}")
    assert found.usable
    assert list(dict.fromkeys(each.probe for each in found.findings)) == [
        each for each in PROBES if each not in ("servers", "template", "answers")
    ]
    marks = {each.probe: each.mark for each in found.findings}
    assert marks.pop("model") == "bad", "too small"
    assert not {"bad", "unknown"} & {*marks.values()}, found.findings
    assert (found.name, found.slots, found.quantization) == ("tiny.gguf", SLOTS, "all F32")
    assert (found.system_role, found.stops_thinking, found.schema_holds) == (True, None, True)
    assert found.num_ctx == CONTEXT // SLOTS
    assert found.longest_prompt is not None
    assert 0.9 * CONTEXT / SLOTS < found.longest_prompt < CONTEXT / SLOTS
    assert not found.is_cut
    assert list(found.speed) == [1, 2, 4, 8]
    assert found.seconds_a_call is not None
    assert found.seconds_a_call > 0


async def test_without_a_spec_the_model_of_this_machine_is_examined(
    ollama_server: OllamaFake,
) -> None:
    found = await look(None, ollama_server.url)
    assert (found.usable, found.asked, found.spec) == (True, None, "ollama:tiny:latest")
    (ollama, llamacpp) = found.servers
    assert [model.name for model in ollama.models if model.embeds] == ["nomic-embed-text:latest"]
    assert (llamacpp.answers, llamacpp.problem != "") == (False, True)
    assert (found.parameters, found.quantization) == ("0.1M", "F32")
    assert found.schema_holds
    assert (found.longest_prompt or 0) > 7000
    assert found.embedder == "ollama:nomic-embed-text:latest"
    settings = tomllib.loads(found.settings)
    assert (settings["model"], settings["num_ctx"]) == (found.spec, 8192)
    assert settings["profiles"][found.spec]["constrain"] == "auto"
    assert settings["embedder"] == found.embedder


async def test_where_nothing_answers_there_is_advice_and_no_settings_file() -> None:
    found = await look(None)
    assert not found.usable
    assert [server.answers for server in found.servers] == [False, False]
    for command in (
        "ollama pull qwen2.5:3b",
        "llama-server -m MODEL.gguf -c 32768 -np 4 --jinja",
        "smolville run --model standin",
    ):
        assert command in commands(found)
    assert found.settings == ""


async def test_a_model_that_is_not_installed_is_named_with_what_to_pull(
    ollama_server: OllamaFake, llamacpp_url: str
) -> None:
    found = await look("ollama:mistral", ollama_server.url)
    assert not found.usable
    assert "tiny:latest" in found.problem
    assert commands(found).splitlines()[0] == "ollama pull mistral"
    with serve_small(llamacpp_url) as ollama:
        ollama.installed = ["nomic-embed-text:latest"]
        without = await look(None, ollama.url)
    assert commands(without).splitlines()[0] == "ollama pull qwen2.5:3b"


async def test_the_stand_in_is_called_no_model() -> None:
    found = await look("standin:mistakes=0.3")
    assert found.usable and found.is_standin
    assert "no model" in told(found, "model")
    assert tomllib.loads(found.settings)["model"] == "standin:mistakes=0.3"


async def test_a_server_that_ignores_the_schema_is_found_out(short_url: str) -> None:
    with serve_careless(short_url, without_schema) as url:
        found = await look(f"llamacpp:{url}")
    assert found.usable
    assert found.schema_holds is False
    assert "not honoured" in told(found, "schema")
    assert profile_of(found)["constrain"] == "none"
    assert "--jinja holds it to one" in told(found, "schema")


async def test_a_server_that_cuts_prompts_without_a_word_is_found_out(llamacpp_url: str) -> None:
    with serve_careless(llamacpp_url, cut) as url:
        found = await look(f"llamacpp:{url}")
    assert found.is_cut
    assert (found.longest_prompt or 0) < 2000
    assert "cut without a word" in told(found, "context")


async def test_an_ollama_that_does_not_heed_num_ctx_is_found_out(llamacpp_url: str) -> None:
    with serve_small(llamacpp_url) as ollama:
        found = await look("ollama:tiny", ollama.url, num_ctx=4096)
        assert "are needed, or memories are left out" in told(found, "context")
    assert found.is_cut
    assert found.longest_prompt is not None
    assert 0.8 * SMALL < found.longest_prompt <= SMALL
    assert tomllib.loads(found.settings)["num_ctx"] == 1024
    assert "num_ctx" in commands(found)


async def test_a_template_without_a_system_role_is_found_out(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no llama.cpp server")
    path = tmp_path / "Mild-1B.Q4_K_M.gguf"
    write_tiny_gguf(path, NO_SYSTEM_TEMPLATE)
    with serve_gguf(path, slots=1, context=4096) as url:
        found = await look(f"llamacpp:{url}")
    assert found.system_role is False
    assert tomllib.loads(found.settings)["template_style"] == "merged"
    assert found.quantization == "Q4_K_M"


@pytest.mark.parametrize(("name", "stops"), [("thinker", True), ("stubborn", False)])
async def test_thinking_aloud_is_found_out(
    ollama_server: OllamaFake, name: str, stops: bool | None
) -> None:
    found = await look(f"ollama:{name}", ollama_server.url)
    assert found.stops_thinking == stops
    assert ("thinks aloud even when" in told(found, "thinking")) == (stops is False)


@pytest.mark.parametrize("way", ["busy", "locked", "page"])
@pytest.mark.parametrize("kind", ["ollama", "llamacpp"])
async def test_a_server_that_fails_is_a_finding(kind: str, way: str) -> None:
    with serve_faults() as url:
        if kind == "ollama":
            found = await look("ollama:m", f"{url}/{way}")
        else:
            found = await look(f"llamacpp:{url}/{way}")
    assert not found.usable
    assert found.problem
    assert told(found, "model") == found.problem
    assert found.advice


async def test_a_server_that_hangs_up_is_a_finding() -> None:
    with serve_hang_ups() as url:
        found = await look(f"llamacpp:{url}", url)
    assert not found.usable
    assert all(server.problem for server in found.servers)


async def test_probes_out_of_time_are_findings(short_url: str) -> None:
    found = await look(f"llamacpp:{short_url}", limits=replace(PATIENT, share=0.0))
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


@pytest.mark.parametrize("name", ["loading"])
async def test_a_fault_that_passes_is_waited_for(short_url: str, name: str) -> None:
    with injected(short_url) as injector:
        at_once(injector, name)
        found = await look(f"llamacpp:{injector.url}", limits=replace(PATIENT, patience=20))
    assert found.usable, found.problem
    assert injector.struck
    assert tomllib.loads(found.settings)["model"] == f"llamacpp:{injector.url}"


async def test_a_fault_that_stays_is_told_and_nobody_is_sent_to_the_stand_in(
    short_url: str, ollama_server: OllamaFake
) -> None:
    with injected(short_url) as injector:
        found = await look(f"llamacpp:{at_once(injector, 'loading', ALWAYS).url}")
    assert not found.usable
    assert "loading" in found.problem
    assert found.settings == ""
    assert injector.struck > 1, "it was asked again"
    with injected(ollama_server.url) as injector:
        at_once(injector, "loading", ALWAYS).paths = ("/api/tags",)
        without = await look(None, injector.url)
    assert commands(without) == "smolville doctor"
    assert "model standin" not in str(without.plain())


async def test_a_model_that_never_writes_what_it_is_asked_for_is_told(short_url: str) -> None:
    with serve_careless(short_url, as_it_is, saying("I am glad to help you!")) as url:
        found = await look(f"llamacpp:{url}")
    assert found.usable
    assert "None of its replies is the JSON" in told(found, "answers")
    assert "'I am glad to help you!'" in told(found, "answers")


async def test_a_model_whose_replies_are_all_empty_cannot_be_used(short_url: str) -> None:
    with serve_careless(short_url, as_it_is, saying("")) as url:
        found = await look(f"llamacpp:{url}")
    assert (found.usable, found.settings) == (False, "")
    assert "Every reply was empty" in told(found, "model")


@pytest.mark.parametrize("path", ["/props", "/v1/chat/completions"])
async def test_a_server_that_says_nothing_is_not_waited_for_longer_than_the_doctor_has(
    short_url: str, path: str
) -> None:
    with injected(short_url) as injector:
        at_once(injector, "stall", ALWAYS).paths = (path,)
        limits = ProbeLimits(seconds=2, patience=0)
        found = await look(f"llamacpp:{injector.url}", limits=limits)
    assert not found.usable
    assert "in the time that the doctor takes" in told(found, "model")
    assert "Look again" in found.advice[0].text
    assert commands(found) == f"smolville doctor --model llamacpp:{injector.url}"


def test_a_model_too_small_to_speak_for_itself_is_named() -> None:
    for parameters in ("1.5B", "135M"):
        assert "take an instruct model of 3 to 8 billion" in warn_if_small(parameters)
    assert warn_if_small("3B") == warn_if_small("") == ""


def test_chat_models_in_files_are_found_once_and_other_files_are_passed_over(
    tmp_path: Path,
) -> None:
    here, home = tmp_path / "here", tmp_path / "home"
    kept = home / ".lmstudio" / "models" / "somebody" / "tiny"
    for folder in (here, kept, here / ".hidden"):
        folder.mkdir(parents=True)
    write_tiny_gguf(kept / "tiny-00001-of-00002.gguf")
    write_tiny_gguf(kept / "tiny-00002-of-00002.gguf")
    write_tiny_gguf(here / "embeds.gguf", template="")
    write_tiny_gguf(here / ".hidden" / "cached.gguf")
    (here / "broken.gguf").write_bytes(b"GGUF and no more")
    (here / "again.gguf").symlink_to(kept / "tiny-00001-of-00002.gguf")
    (found,) = find_local_models(model_folders({"HOME": str(home)}, here))
    assert found.path == (kept / "tiny-00001-of-00002.gguf").resolve()
    assert parse_spec(found.spec).target == str(found.path)


@pytest.mark.parametrize(
    ("parameters", "examples", "repairs"), [("134.5M", 0, 1), ("1.5B", 1, 1), ("3.2B", 1, 3)]
)
def test_small_models_get_fewer_examples_and_repairs(
    parameters: str, examples: int, repairs: int
) -> None:
    found = Findings(asked="m", usable=True, spec="ollama:m", parameters=parameters)
    assert recommended(found)["examples"].value == examples
    assert recommended(found)["repairs"].value == repairs


@pytest.mark.parametrize(
    ("held", "sent", "constrain"),
    [(True, True, "auto"), (True, False, "schema"), (False, True, "none"), (None, None, "auto")],
)
def test_replies_are_held_to_a_schema_where_that_works(
    held: bool | None, sent: bool | None, constrain: str
) -> None:
    found = Findings(asked="m", usable=True, spec="m", schema_holds=held, schema_sent=sent)
    assert recommended(found)["constrain"].value == constrain


def test_what_to_try_next_is_at_most_two_commands() -> None:
    larger = ServedModel(
        name="big:7b",
        chats=True,
        thinks=False,
        system_role=True,
        context_length=None,
        parameters="7.6B",
    )
    ollama = ServerSeen(kind="ollama", url="", answers=True, models=(larger,))
    found = Findings(
        asked="ollama:m", usable=True, spec="ollama:m", parameters="1.1B", servers=(ollama,)
    )
    assert [each.command for each in advise(found)] == [
        "smolville doctor --model ollama:big:7b",
        "smolville doctor --model ollama:m --write smolville.toml",
    ]
    found.servers = ()
    kept = [each.command for each in advise(found, is_kept=True)]
    assert kept == ["smolville doctor --model ollama:m --try", "smolville run"]
