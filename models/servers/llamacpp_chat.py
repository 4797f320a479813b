"""LangChain's chat model for OpenAI-like servers, with llama.cpp's additional reply fields."""

from collections.abc import Mapping
from typing import Any

import openai
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI


class LlamaCppChat(ChatOpenAI):
    """`ChatOpenAI` that keeps the thinking and the timings that llama.cpp and others send."""

    def _create_chat_result(
        self,
        response: dict[str, Any] | openai.BaseModel,
        generation_info: dict[str, Any] | None = None,
    ) -> ChatResult:
        result = super()._create_chat_result(response, generation_info)
        said = response if isinstance(response, dict) else response.model_dump(warnings=False)
        for choice, generation in zip(said.get("choices") or (), result.generations, strict=False):
            thinking = _thinking(choice.get("message") or {})
            if thinking:
                generation.message.additional_kwargs["reasoning_content"] = thinking
            if isinstance(said.get("timings"), dict):
                generation.message.response_metadata["timings"] = said["timings"]
        return result

    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type,
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(
            chunk, default_chunk_class, base_generation_info
        )
        if made is not None:
            for choice in chunk.get("choices") or ():
                thinking = _thinking(choice.get("delta") or {})
                if thinking:
                    made.message.additional_kwargs["reasoning_content"] = thinking
            if isinstance(chunk.get("timings"), dict):
                made.message.response_metadata["timings"] = chunk["timings"]
        return made


def _thinking(message: Mapping[str, Any]) -> str:
    """Return the thinking in a message or a piece of one; vLLM calls it `reasoning`."""
    thinking = message.get("reasoning_content") or message.get("reasoning")
    return thinking if isinstance(thinking, str) else ""
