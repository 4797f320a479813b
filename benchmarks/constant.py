"""A chat model that always gives the same reply, and the smallest graph that asks it."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.graph import END, START, StateGraph


class Constant(BaseChatModel):
    """A chat model that gives the same reply to everything, without delay."""

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
        """Return the constant reply."""
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=self.says))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        """Return the constant reply, without waiting."""
        return self._generate(messages)


@dataclass(kw_only=True)
class Exchange:
    """The state of the bare graph."""

    messages: list[BaseMessage] = field(default_factory=list)
    reply: BaseMessage | None = None
    outcome: str = ""


def bare_graph(model: BaseChatModel) -> Any:
    """Return a graph with the shape of the step loop, whose nodes only ask the model."""

    async def gather(state: Exchange) -> dict[str, Any]:
        return {"outcome": ""}

    async def ask(state: Exchange) -> dict[str, Any]:
        return {"reply": await model.ainvoke(state.messages)}

    async def parse(state: Exchange) -> dict[str, Any]:
        return {"outcome": "clean"}

    async def repair(state: Exchange) -> dict[str, Any]:
        return {"outcome": ""}

    async def fall_back(state: Exchange) -> dict[str, Any]:
        return {"outcome": "fallback"}

    async def apply(state: Exchange) -> dict[str, Any]:
        return {"outcome": state.outcome}

    async def after(state: Exchange) -> str:
        return "read" if state.outcome else "again"

    graph = StateGraph(Exchange)
    graph.add_node("gather", gather)
    graph.add_node("ask", ask)
    graph.add_node("parse", parse)
    graph.add_node("repair", repair)
    graph.add_node("fall_back", fall_back)
    graph.add_node("apply", apply)
    graph.add_edge(START, "gather")
    graph.add_edge("gather", "ask")
    graph.add_edge("ask", "parse")
    ways: dict[Hashable, str] = {"read": "apply", "again": "repair", "give up": "fall_back"}
    graph.add_conditional_edges("parse", after, ways)
    graph.add_edge("repair", "ask")
    graph.add_edge("fall_back", END)
    return graph.compile(checkpointer=False, name="bare")
