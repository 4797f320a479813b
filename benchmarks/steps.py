"""What a cognitive step adds to a bare call of a chat model, part by part."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import orjson
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.graph import END, START, StateGraph

from agents.persona import Persona
from agents.stream import MemoryStream, Vector
from graphs.catalogue import steps
from graphs.desk import Desk
from graphs.ledger import Journal
from graphs.notebook import Notebook
from graphs.samples import SAMPLES
from graphs.step import Step
from graphs.surroundings import Body
from graphs.thinking import Ledger, Thought
from models.chat import Chat
from world.senses import Senses

Job = Callable[[int], Awaitable[Any]]
"""One repetition, told its number."""


class Constant(BaseChatModel):
    """A chat model that always says the same, at once."""

    says: str

    @property
    def _llm_type(self) -> str:
        return "constant"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        """Return the one reply."""
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=self.says))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        """Return the one reply; there is nothing to wait for."""
        return self._generate(messages)
