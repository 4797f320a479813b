"""The doctor, against real servers and careless ones, and where nothing answers."""

import tomllib
from pathlib import Path

import httpx
import pytest

from smolville.models.embedding.embedder import open_embedder
from tests.fixtures.llamacpp import serve_gguf
from tests.fixtures.ollama_server import OllamaFake
from tests.fixtures.tiny_gguf import NO_SYSTEM_TEMPLATE, write_tiny_gguf
from tests.lab.careless import (
    CONTEXT,
    SLOTS,
    SMALL,
    cut,
    serve_careless,
    serve_small,
    without_schema,
)
from tests.lab.looking import commands, look, profile_of, told

STRICT_TEMPLATE = (
    "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant') }}{% endif %}"
    "[INST] {{ m.content }} [/INST]{% endfor %}"
)
PROBED = ["servers", "model", "template", "thinking", "schema", "context", "speed", "cache"]


async def test_llamacpp_is_examined_by_every_probe(short_url: str) -> None:
    found = await look(f"llamacpp:{short_url}")
    assert found.usable
    assert list(dict.fromkeys(each.probe for each in found.findings))[:8] == PROBED
    assert not any(each.mark in ("bad", "unknown") for each in found.findings), found.findings
    model = found.model
    assert (model.name, model.slots, model.quantization) == ("tiny.gguf", SLOTS, "all F32")
    assert (found.template.system_role, found.template.alternates) == (True, False)
    assert found.thinking.thinks is False
    assert found.schema.holds
    assert found.schema.honoured
    assert found.context.num_ctx == CONTEXT // SLOTS
    assert found.context.is_cut is False
    assert found.context.largest is not None
    assert 0.9 * CONTEXT / SLOTS < found.context.largest < CONTEXT / SLOTS
    assert [each.counted for each in found.context.tries] == [found.context.largest]
    assert [each.in_flight for each in found.speed.rounds] == [1, 2, 4, 8]
    assert found.speed.cached_share is not None
    assert 0.2 < found.speed.cached_share < 0.95, "rules are shared, people are not"
    assert [day.agents for day in found.estimate] == [3, 25]


async def test_ollama_is_examined_by_every_probe(ollama_server: OllamaFake) -> None:
    found = await look("ollama:tiny", ollama_server.url)
    assert found.usable
    assert (found.model.name, found.model.parameters, found.model.quantization) == (
        "tiny",
        "0.1M",
        "F32",
    )
    assert found.schema.holds
    assert found.context.is_cut is False
    assert found.context.largest is not None
    assert found.context.largest > 7000
    assert (found.embedder.spec, found.embedder.dimension) == (
        "ollama:nomic-embed-text:latest",
        64,
    )
    assert found.speed.cached_share is None
    assert "does not tell" in told(found, "cache")
    settings = tomllib.loads(found.settings)
    assert settings["model"] == "ollama:tiny"
    assert settings["num_ctx"] == 8192
    assert settings["profiles"]["ollama:tiny"]["constrain"] == "auto"
    assert settings["embedder"] == found.embedder.spec
    assert "OLLAMA_NUM_PARALLEL=" in commands(found)


async def test_without_a_spec_the_model_of_this_machine_is_taken(
    ollama_server: OllamaFake,
) -> None:
    found = await look(None, ollama_server.url)
    assert (found.asked, found.model.spec) == (None, "ollama:tiny:latest")
    (ollama, llamacpp) = found.servers
    assert next(model.name for model in ollama.models if model.chats) == "tiny:latest"
    assert [model.name for model in ollama.models if model.embeds] == ["nomic-embed-text:latest"]
    assert (llamacpp.answers, llamacpp.problem != "") == (False, True)


async def test_where_nothing_answers_there_is_advice_and_no_settings_file() -> None:
    found = await look(None)
    assert not found.usable
    assert [server.answers for server in found.servers] == [False, False]
    assert "ollama pull qwen2.5:3b" in commands(found)
    assert "llama-server -m MODEL.gguf -c 32768 -np 4 --jinja" in commands(found)
    assert "smolville run --model standin" in commands(found)
    assert found.settings == ""
    assert found.estimate == ()
    assert open_embedder(found.embedder.spec).dimension == found.embedder.dimension


async def test_a_model_that_is_not_installed_is_named_with_what_to_pull(
    ollama_server: OllamaFake,
) -> None:
    found = await look("ollama:mistral", ollama_server.url)
    assert not found.usable
    assert "tiny:latest" in found.model.problem
    assert commands(found).splitlines()[0] == "ollama pull mistral"
    assert found.settings == ""


async def test_an_ollama_without_a_chat_model_gets_one_suggested(llamacpp_url: str) -> None:
    with serve_small(llamacpp_url) as ollama:
        ollama.installed = ["nomic-embed-text:latest"]
        found = await look(None, ollama.url)
    assert not found.usable
    assert commands(found).splitlines()[0] == "ollama pull qwen2.5:3b"
    assert "--pull" in found.advice[0].text


async def test_the_stand_in_is_called_no_model() -> None:
    found = await look("standin:mistakes=0.3")
    assert found.usable
    assert found.model.is_standin
    assert "no model" in told(found, "model")
    assert found.speed.rounds == ()
    assert tomllib.loads(found.settings)["model"] == "standin:mistakes=0.3"


async def test_a_server_that_ignores_the_schema_is_found_out(short_url: str) -> None:
    with serve_careless(short_url, without_schema) as url:
        found = await look(f"llamacpp:{url}")
    assert found.usable
    assert found.schema.honoured_against_prompt is False
    assert not found.schema.holds
    assert "not honoured" in told(found, "schema")
    assert profile_of(found)["constrain"] == "none"
    assert any("schema" in advice.text for advice in found.advice)


async def test_a_compatible_server_is_examined_through_its_chats_alone(short_url: str) -> None:
    with httpx.Client(base_url=short_url, trust_env=False) as client:
        name = client.get("/v1/models").json()["data"][0]["id"]
    found = await look(f"openai:{short_url}/v1#{name}")
    assert found.usable, found.model.problem
    assert (found.template.system_role, found.template.alternates) == (True, False)
    assert found.schema.holds
    assert found.context.tries[0].outcome in ("whole", "refused")
    assert found.speed.rounds
    sent = {True: "auto", False: "schema"}[bool(found.schema.sent)]
    assert profile_of(found)["constrain"] == sent


async def test_a_server_that_cuts_prompts_without_a_word_is_found_out(llamacpp_url: str) -> None:
    with serve_careless(llamacpp_url, cut) as url:
        found = await look(f"llamacpp:{url}")
    context = found.context
    assert context.is_cut
    assert context.tries[0].outcome == "cut"
    assert context.tries[0].counted is not None
    assert context.tries[0].counted < 0.1 * context.tries[0].sent
    assert context.largest is not None
    assert context.largest <= context.tries[0].counted
    assert "cut without a word" in told(found, "context")


async def test_an_ollama_that_does_not_heed_num_ctx_is_found_out(llamacpp_url: str) -> None:
    with serve_small(llamacpp_url) as ollama:
        found = await look("ollama:tiny", ollama.url, num_ctx=4096)
    context = found.context
    assert context.is_cut
    assert context.largest is not None
    assert 0.8 * SMALL < context.largest <= SMALL
    assert tomllib.loads(found.settings)["num_ctx"] == 1024
    assert "num_ctx" in commands(found)
    assert found.model.gpu_share == 0.5
    assert any("50%" in advice.text for advice in found.advice)


async def test_a_template_without_a_system_role_is_found_out(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no llama.cpp server")
    path = tmp_path / "Mild-1B.Q4_K_M.gguf"
    write_tiny_gguf(path, NO_SYSTEM_TEMPLATE)
    with serve_gguf(path, slots=1, context=4096) as url:
        found = await look(f"llamacpp:{url}")
    assert (found.template.system_role, found.template.alternates) == (False, False)
    assert tomllib.loads(found.settings)["template_style"] == "merged"
    assert found.model.quantization == "Q4_K_M"


async def test_a_template_that_insists_on_alternation_is_found_out(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no llama.cpp server")
    path = tmp_path / "strict.gguf"
    write_tiny_gguf(path, STRICT_TEMPLATE)
    with serve_gguf(path, slots=1, context=2048) as url:
        found = await look(f"llamacpp:{url}")
        asked = await look(f"openai:{url}/v1")
    assert found.template.system_role is False
    for each in (found, asked):
        assert each.template.alternates
        assert "insists on alternating" in told(each, "template")
    assert "-c 8192 -np 1" in commands(found), "2048 tokens are too few for every step"


@pytest.mark.parametrize(
    ("name", "thinks", "stops"),
    [("tiny", False, None), ("thinker", True, True), ("stubborn", True, False)],
)
async def test_thinking_aloud_is_found_out(
    ollama_server: OllamaFake, name: str, thinks: bool, stops: bool | None
) -> None:
    found = await look(f"ollama:{name}", ollama_server.url)
    assert (found.thinking.thinks, found.thinking.switches_off) == (thinks, stops)
    assert any("thinks aloud" in each.text for each in found.advice) == (stops is False)


async def test_the_keys_of_the_json_stay_as_they_are() -> None:
    plain = (await look(None)).plain()
    assert list(plain) == [
        *("asked", "usable", "servers", "model", "template", "thinking", "schema", "context"),
        *("speed", "embedder", "estimate", "findings", "advice", "settings", "measured"),
    ]
    assert list(plain["servers"][0]) == [
        *("kind", "url", "answers", "version", "slots", "num_ctx", "alternates", "models"),
        *("problem", "may_pass"),
    ]
    assert list(plain["schema"]) == [
        *("honoured", "honoured_against_prompt", "by_itself", "sent", "replies", "is_silent"),
        "problem",
    ]
    assert list(plain["context"]) == [
        *("num_ctx", "needed", "largest", "is_cut", "tries", "prompt_tokens_per_second"),
        *("stopped_early", "problem"),
    ]
    assert list(plain["speed"]) == ["rounds", "pays", "cached_share", "problem"]
    assert list(plain["findings"][0]) == ["probe", "mark", "text"]
    assert list(plain["advice"][0]) == ["text", "command"]
