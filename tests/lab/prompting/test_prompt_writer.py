"""The final string of a prompt, its parts, and how far the next prompt begins with the same."""

import asyncio
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from smolville.graphs.catalogue import ENTITY
from smolville.lab.moments.files import write_moments
from smolville.lab.moments.finding import next_moment
from smolville.lab.moments.moment import Moment
from smolville.lab.prompting.prompt_writer import WrittenPrompt, writer_of
from smolville.lab.prompting.rendering import ChatMessage, as_it_was, sample
from smolville.lab.prompting.sizes import (
    SharedBeginning,
    Sizes,
    estimated_beginning,
    estimated_sizes,
    parts_in,
    parts_of,
    shared_beginning,
    sizes_of,
)
from smolville.models.connecting.llamacpp import LlamaCppCounter
from smolville.models.errors import SpecError
from smolville.models.request import ModelSettings
from smolville.models.servers.llamacpp import LlamaCppServer
from smolville.models.spec import Spec, parse_spec
from tests.fixtures.chat_templates import GEMMA
from tests.fixtures.ollama_server import OllamaFake
from tests.fixtures.tiny_gguf import write_tiny_gguf

ASKED = sample("react", None, "shipped").messages
OTHER = sample("react", None, "shipped", other=True).messages
TALK = sample("say", None, "shipped").messages


async def looked(
    spec: str | Spec, env: dict[str, str] | None = None
) -> tuple[WrittenPrompt, Sizes, SharedBeginning, str]:
    """Return what a model gets of a sample, and how far the other sample begins alike."""
    read = parse_spec(spec) if isinstance(spec, str) else spec
    async with writer_of(read, ModelSettings(), env or {}) as writer:
        written, other = await writer.write_prompt(ASKED), await writer.write_prompt(OTHER)
        sizes = await sizes_of(written, writer)
        return written, sizes, await shared_beginning(written, other, writer), writer.counted_by


async def test_a_files_own_template_writes_what_llama_cpp_writes(
    tiny_gguf: Path, llamacpp_url: str
) -> None:
    pytest.importorskip("xllamacpp")
    of_file = await looked(Spec("gguf", str(tiny_gguf)))
    of_server = await looked(f"llamacpp:{llamacpp_url}")
    assert of_file[0].text == of_server[0].text
    assert of_file[1:3] == of_server[1:3]
    counter = LlamaCppCounter(LlamaCppServer(llamacpp_url), {})
    sent = [SystemMessage(ASKED[0].content), HumanMessage(ASKED[1].content)]
    counted = await counter(sent)
    await counter.aclose()
    assert (of_file[1].total, of_file[1].is_exact) == counted
    assert of_file[0].how == "The string is made by the chat template in the file."
    assert of_file[3] == "by the model's own tokenizer"


async def test_a_file_can_be_looked_at_where_nothing_serves_it(
    tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smolville.lab.prompting.prompt_writer.find_spec", lambda name: None)
    written, sizes, shared, counted_by = await looked(Spec("gguf", str(tiny_gguf)))
    assert written.text is not None
    assert written.text.startswith("<|im_start|>system\nYou are a person in a small town")
    assert not sizes.is_exact
    assert shared.section == "ABOUT YOU"
    assert counted_by.startswith("estimated; the extra gguf")


async def test_without_a_system_role_its_text_stands_in_the_first_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smolville.lab.prompting.prompt_writer.find_spec", lambda name: None)
    path = tmp_path / "gemma.gguf"
    write_tiny_gguf(path, GEMMA)
    written, sizes, _, _ = await looked(Spec("gguf", str(path)))
    assert [each.role for each in written.messages] == ["user"]
    assert written.text is not None
    assert written.text.startswith("<s><start_of_turn>user\nYou are a person in a small town")
    assert [each.name for each in sizes.parts][:3] == ["rules", "format", "ABOUT YOU"]


async def test_a_template_that_cannot_be_rendered_is_told(tmp_path: Path) -> None:
    path = tmp_path / "odd.gguf"
    write_tiny_gguf(path, "{% for m in messages %}")
    with pytest.raises(SpecError, match=r"odd.gguf' cannot be rendered: line 1: Unexpected end"):
        await looked(Spec("gguf", str(path)))


async def test_where_nobody_sees_the_string_the_messages_are_told_as_such(
    ollama_server: OllamaFake,
) -> None:
    written, sizes, _, _ = await looked("ollama:tiny", {"OLLAMA_HOST": ollama_server.url})
    assert written.text is None
    assert written.messages == ASKED
    assert written.how.startswith("Ollama applies the model's template itself")
    assert sizes == estimated_sizes(ASKED)
    assert (await looked("standin"))[0].how.startswith("The stand-in has no template")
    assert (await looked("openai:http://127.0.0.1:1/v1#m"))[0].how.startswith("Its server applies")


def test_the_parts_of_every_prompt_are_the_prompt(moments: list[Moment]) -> None:
    for moment in moments:
        for number in range(len(moment.attempts)):
            messages = as_it_was(moment, number).messages
            repairs = as_it_was(moment, number).repairs
            parts = parts_of(messages, repairs)
            assert "".join(part.text for part in parts) == "".join(m.content for m in messages)
            names = [part.name for part in parts]
            about = "THE TOWN" if moment.step in {step.name for step in ENTITY} else "ABOUT YOU"
            shown = moment.attempts[number].call.examples != "[]"
            assert names[: 3 + shown] == ["rules", "format", *["examples"] * shown, about]
            assert repairs or moment.step == "say" or len(messages) == 2
            assert ("repair 1" in names) == bool(repairs)


def test_a_talk_has_a_part_for_each_turn() -> None:
    parts = parts_of(TALK)
    assert [(part.role, part.name) for part in parts[-2:]] == [
        ("assistant", "turn"),
        ("user", "Better every day. I know four dan…"),
    ]
    wrong = [ChatMessage("assistant", "{}"), ChatMessage("user", "`text` is missing.")]
    assert [part.name for part in parts_of([*TALK, *wrong], 1)[-3:]] == [
        parts[-1].name,
        "answer 1",
        "repair 1",
    ]


def test_a_prompt_that_the_template_has_changed_is_not_taken_apart() -> None:
    messages = [ChatMessage("system", "Be brief."), ChatMessage("user", "  Well? ")]
    parts = parts_in("<s>Be brief.<u>Well?</u>", messages)
    assert parts is not None
    assert [part.text for part in parts] == ["<s>", "Be brief.", "<u>", "Well?", "</u>"]
    assert parts_in("<s>BE BRIEF.<u>Well?</u>", messages) is None


def test_the_format_is_a_part_wherever_a_template_shows_it() -> None:
    text = ASKED[0].content.replace("\n\nAnswer with one", "\nCheck: every field.\nAnswer with one")
    parts = parts_of([ChatMessage("system", text)])
    assert [part.name for part in parts] == ["rules", "format", "ABOUT YOU"]
    assert parts[0].text.endswith("\nCheck: every field.\n")
    assert "".join(part.text for part in parts) == text


def test_sizes_of_parts_sum_to_the_size_of_the_prompt() -> None:
    from smolville.models.tokens import estimate_prompt

    sent = [SystemMessage(ASKED[0].content), HumanMessage(ASKED[1].content)]
    assert estimated_sizes(ASKED).total == estimate_prompt(sent)


def test_the_shared_beginning_ends_where_the_prompts_differ() -> None:
    shared = estimated_beginning(ASKED, OTHER)
    assert shared.section == "ABOUT YOU"
    assert ASKED[0].content.partition(shared.here)[0] == OTHER[0].content.partition(shared.there)[0]
    same = estimated_beginning(ASKED, ASKED)
    assert (same.section, same.tokens) == ("", same.total)


def test_the_next_moment_is_of_the_same_step_and_agent(
    runs: Path, moments: list[Moment], tmp_path: Path
) -> None:
    path = tmp_path / "moments.jsonl"
    write_moments(path, moments)
    for moment in moments:
        found = next_moment(runs, moment, moment.id)
        later = moments[moments.index(moment) + 1 :]
        alike = (each for each in later if (each.step, each.agent) == (moment.step, moment.agent))
        expected = next(alike, None)
        assert found == expected
        in_file = next_moment(runs, moment, f"{path}#{moment.id.rpartition('/')[2]}")
        assert (in_file and in_file.at) == (expected and expected.at)


def test_asyncio_is_left_without_open_connections(llamacpp_url: str) -> None:
    assert asyncio.run(looked(f"llamacpp:{llamacpp_url}"))[1].is_exact
