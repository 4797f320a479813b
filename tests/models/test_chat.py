"""What a chat does around any LangChain model."""

from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from smolville.models.chat import Chat
from smolville.models.errors import PromptCut
from smolville.models.reply import Reply, check_prompt, read_reply
from smolville.models.request import Request


class Echo(BaseChatModel):
    """Answers with the last message, and keeps what it was told."""

    told: dict[str, Any] = Field(default_factory=dict)
    usage: UsageMetadata | None = None

    @property
    def _llm_type(self) -> str:
        return "echo"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **told: Any,
    ) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: Any = None,
        **told: Any,
    ) -> ChatResult:
        self.told.clear()
        self.told.update(told)
        said = AIMessage(str(messages[-1].text), usage_metadata=self.usage)
        return ChatResult(generations=[ChatGeneration(message=said)])


async def test_inputs_and_step_reach_only_a_model_that_wants_them() -> None:
    asked = {"schema": {"type": "object"}, "step": "say", "inputs": {"name": "Eve"}, "seed": 2**40}
    wanting = Chat(spec="echo", name="echo", model=Echo(), wants_inputs=True)
    await wanting.ask([HumanMessage("Hi")], **asked)
    told = wanting.model.told  # type: ignore[attr-defined]
    assert (told["step"], told["inputs"], told["seed"]) == ("say", {"name": "Eve"}, 2**40)
    other = Chat(spec="echo", name="echo", model=Echo())
    await other.ask([HumanMessage("Hi")], **asked)
    assert other.model.told == {}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("told", "finish"),
    [
        ({"finish_reason": "stop"}, "stop"),
        ({"finish_reason": "length"}, "length"),
        ({"done_reason": "length"}, "length"),
        ({"stop_reason": "max_tokens"}, "length"),
        ({"finish_reason": "MAX_TOKENS"}, "length"),
        ({}, "stop"),
    ],
)
def test_every_server_s_word_for_a_cut_reply_is_known(told: dict[str, str], finish: str) -> None:
    assert read_reply(AIMessage("x", response_metadata=told), 1.0).finish == finish


def test_thinking_is_kept_and_counted_wherever_it_stands() -> None:
    beside = AIMessage("yes", additional_kwargs={"reasoning_content": "Is it noon? It is."})
    block = AIMessage([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "yes"}])
    inside = AIMessage("<think>Hm.</think>yes")
    assert read_reply(beside, 1.0).thinking == "Is it noon? It is."
    assert read_reply(beside, 1.0).thinking_tokens > 3
    assert read_reply(block, 1.0).thinking == "Hm."
    assert read_reply(block, 1.0).text == "yes"
    assert read_reply(inside, 1.0).text == "<think>Hm.</think>yes"


def test_an_answer_that_came_as_the_call_of_a_tool_is_read_all_the_same() -> None:
    called = {"name": "answer", "args": {"place": "the café"}, "id": "1"}
    broken = {"name": "answer", "args": '{"place": ', "id": "2", "error": "cut"}
    whole = AIMessage("", tool_calls=[{**called, "type": "tool_call"}])
    part = AIMessage("", invalid_tool_calls=[{**broken, "type": "invalid_tool_call"}])
    beside = AIMessage("yes", tool_calls=[{**called, "type": "tool_call"}])
    assert read_reply(whole, 1.0).text == '[TOOL_CALLS]answer[ARGS]{"place": "the café"}'
    assert read_reply(part, 1.0).text == '[TOOL_CALLS]answer[ARGS]{"place": '
    assert read_reply(beside, 1.0).text == "yes"


def test_thinking_is_the_text_of_a_reply_that_ended_without_one() -> None:
    beside = {"reasoning_content": "Hm."}
    assert read_reply(AIMessage("", additional_kwargs=beside), 1.0).text == "<think>Hm.</think>"
    cut = AIMessage("", additional_kwargs=beside, response_metadata={"finish_reason": "length"})
    assert read_reply(cut, 1.0).text == ""


@pytest.mark.parametrize(
    ("evaluated", "words", "cut"),
    [
        (None, 9000, False),
        (899, 500, False),
        (900, 500, True),
        (1000, 500, True),
        (520, 3000, True),
        (40, 300, False),
    ],
)
def test_a_cut_is_told_by_arithmetic(evaluated: int | None, words: int, cut: bool) -> None:
    sent = [HumanMessage("garden " * words)]
    request = Request(messages=sent, max_tokens=100, step="say")
    reply = Reply(text="", prompt_tokens=evaluated)
    if not cut:
        check_prompt(reply, request, sent, 1000, spec="ollama:m", server="X")
        return
    with pytest.raises(PromptCut, match="The prompt of say and its reply need about"):
        check_prompt(reply, request, sent, 1000, spec="ollama:m", server="X")
