"""A cognitive step, and the loop that every step runs: ask, parse, repair, or fall back.

ask ─→ parse ─┬─ read ─────────→ end
 ↑            ├─ unreadable ──→ repair ─┐      (at most `repairs` times)
 └────────────┼────────────────────────┘
              └─ given up ────→ fall_back ─→ end
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Generic, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from agents.recall import Recollection
from graphs.cards import Card
from graphs.loop.asked import Asking
from graphs.loop.asking import ask, fall_back, next_after, parse, repair
from graphs.loop.examples import Accepted
from graphs.loop.ledger import StepOutcome, StepRecord
from graphs.loop.rules import Tier
from graphs.loop.template_set import shipped_templates
from graphs.thinking import Thought
from parsers.answer import Answer
from parsers.reader import AnswerParser
from prompts.prompt import Prompt

I = TypeVar("I", bound=Card)  # noqa: E741 - the inputs
A = TypeVar("A", bound=Answer)

Choices = Mapping[str, Sequence[str | int]]


def no_context(inputs: Any) -> dict[str, Any]:
    """Return nothing: a step whose answer can be judged by itself."""
    return {}


def no_choices(inputs: Any) -> Choices:
    """Return no choices: a step whose answer is free text."""
    return {}


def plain_case(inputs: Card) -> str:
    """Return the inputs as short lines, without who one is: a case that nobody wrote out."""
    told = inputs.model_dump(mode="json", exclude={"me"})
    return "\n".join(f"{name}: {_in_words(value)}" for name, value in told.items() if value)


def _in_words(value: Any) -> str:
    """Return a value on one line: a list's entries, and a card's fields, one after another."""
    if isinstance(value, dict):
        return ", ".join(str(each) for each in value.values() if each not in ("", None))
    if isinstance(value, list):
        return " / ".join(_in_words(each) for each in value)
    return " ".join(str(value).split())


@dataclass(frozen=True, kw_only=True)
class Step(Generic[I, A]):
    """One cognitive step: a prompt, an answer, and what to do when no answer can be had."""

    name: str
    inputs: type[I]
    """The prompt's variables are exactly its fields."""
    answer: type[A]
    fallback: Callable[[I], A]
    """Declared, deterministic; used only when every repair has failed, and marked."""
    context: Callable[[I], dict[str, Any]] = no_context
    """What the answer's validators know of this call."""
    choices: Callable[[I], Choices] = no_choices
    """Field path to the values that are allowed in this call."""
    case: Callable[[I], str] = plain_case
    """This case in a few short lines: how examples are found for it, and how they are told."""
    sheds: tuple[str, ...] = ()
    """List fields of the inputs from which entries may be left out of a prompt that is too long,
    the first of them first."""
    tier: Tier = "fast"
    temperature: float = 0.7
    max_tokens: int = 512

    def __post_init__(self) -> None:
        """Hold the template to the input model (PromptContractError)."""
        _ = self.prompt

    @cached_property
    def parser(self) -> AnswerParser[A]:
        """What reads the answer."""
        return AnswerParser(answer=self.answer)

    @cached_property
    def prompt(self) -> Prompt[I]:
        """What tells the model, by the shipped template."""
        return shipped_templates().prompt(self)

    async def take(
        self, thought: Thought, inputs: I, recalled: Sequence[Recollection] = ()
    ) -> "Taken[A]":
        """Run the loop and return the answer, and whether it is a fallback."""
        started, clock = time.time(), time.perf_counter()
        ordinal = thought.ledger.next_ordinal(self.name)
        start = Asking(step=self, inputs=inputs, ordinal=ordinal, recalled=tuple(recalled))
        config: RunnableConfig = {"run_name": f"{thought.name} · {self.name}"}
        done = await build_step().ainvoke(start, config, context=thought, version="v2")
        asked: Asking = done.value
        answer = cast(A, asked.answer)
        outcome = cast(StepOutcome, asked.outcome)
        thought.ledger.readings.extend(asked.readings)
        if outcome == "clean" and thought.desk.rules.examples_from_run:
            thought.ledger.accepted.append(self._accepted(thought, asked, answer))
        thought.ledger.steps.append(
            StepRecord(
                owner=thought.owner,
                tick=thought.surroundings.tick,
                step=self.name,
                ordinal=ordinal,
                agent=thought.name,
                outcome=outcome,
                attempts=len(asked.readings),
                answer=answer.model_dump_json(),
                problems=asked.problems if outcome == "fallback" else (),
                started=started,
                milliseconds=(time.perf_counter() - clock) * 1000.0,
                render_ms=asked.render_ms,
                recalls=thought.ledger.take_recalls(),
            )
        )
        return Taken(answer=answer, outcome=outcome, ordinal=ordinal)

    def _accepted(self, thought: Thought, asked: Asking, answer: A) -> Accepted:
        """Return an answer as later cases may be shown it; its case is the one the model saw."""
        return Accepted(
            tick=thought.surroundings.tick,
            owner=thought.owner,
            step=self.name,
            ordinal=asked.ordinal,
            agent=thought.name,
            case=self.case(cast(I, asked.shown)),
            answer=answer.model_dump_json(),
        )


@dataclass(frozen=True, kw_only=True)
class Taken(Generic[A]):
    """A step's answer, and how it was got."""

    answer: A
    outcome: StepOutcome
    ordinal: int = field(default=0)

    @property
    def is_fallback(self) -> bool:
        """True when no model's answer stands behind it."""
        return self.outcome == "fallback"


@cache
def build_step() -> CompiledStateGraph[Asking, Thought, Asking, Asking]:
    """Return the loop as a compiled graph; compiled once, it serves every step."""
    graph = StateGraph(Asking, context_schema=Thought)
    graph.add_node("ask", ask)
    graph.add_node("parse", parse)
    graph.add_node("repair", repair)
    graph.add_node("fall_back", fall_back)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", "parse")
    graph.add_conditional_edges(
        "parse", next_after, {"read": END, "again": "repair", "give up": "fall_back"}
    )
    graph.add_edge("repair", "ask")
    graph.add_edge("fall_back", END)
    return graph.compile(checkpointer=False, name="step")
