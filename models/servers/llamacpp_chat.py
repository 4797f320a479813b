"""LangChain's chat model for OpenAI-like servers, keeping what llama.cpp adds to a reply."""

from typing import Any

import openai
from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI


class LlamaCppChat(ChatOpenAI):
    """`ChatOpenAI` that keeps the thinking and the times that llama.cpp and others send."""

    def _create_chat_result(
        self,
        response: dict[str, Any] | openai.BaseModel,
        generation_info: dict[str, Any] | None = None,
    ) -> ChatResult:
        """Return the result, with thinking where LangChain's other models put it, and timings.

        vLLM calls the thinking `reasoning`.
        """
        result = super()._create_chat_result(response, generation_info)
        said = response if isinstance(response, dict) else response.model_dump(warnings=False)
        for choice, generation in zip(said.get("choices") or (), result.generations, strict=False):
            message = choice.get("message") or {}
            thinking = message.get("reasoning_content") or message.get("reasoning")
            if isinstance(thinking, str) and thinking:
                generation.message.additional_kwargs["reasoning_content"] = thinking
            if isinstance(said.get("timings"), dict):
                generation.message.response_metadata["timings"] = said["timings"]
        return result
