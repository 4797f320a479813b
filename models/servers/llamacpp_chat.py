"""LangChain's chat model for OpenAI-like servers, keeping what llama.cpp adds to a reply."""

from typing import Any

import openai
from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI


class LlamaCppChat(ChatOpenAI):
    """`ChatOpenAI` that does not lose the thinking llama.cpp sends beside the text."""

    def _create_chat_result(
        self,
        response: dict[str, Any] | openai.BaseModel,
        generation_info: dict[str, Any] | None = None,
    ) -> ChatResult:
        """Return the result, with `reasoning_content` where LangChain's other models put it."""
        result = super()._create_chat_result(response, generation_info)
        said = response if isinstance(response, dict) else response.model_dump(warnings=False)
        for choice, generation in zip(said.get("choices") or (), result.generations, strict=False):
            thinking = choice.get("message", {}).get("reasoning_content")
            if thinking:
                generation.message.additional_kwargs["reasoning_content"] = thinking
        return result
