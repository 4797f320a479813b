"""The graph of a step; all steps have the same shape.

gather ─→ ask ─→ parse ─┬─ read ──────→ apply
           ↑            ├─ unreadable → repair ─┐      (at most `repairs` times)
           └────────────┼───────────────────────┘
                        └─ given up ──→ fall_back ─→ apply
"""

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, cast

from langchain_core.messages import BaseMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from smolville.graphs.context import MindContext
from smolville.graphs.draft import Draft
from smolville.graphs.loop.budget import TrimmedPrompt, does_not_fit, fit_prompt, shorter
from smolville.graphs.loop.ledger import (
    AskEvent,
    Call,
    CallKey,
    CallReading,
    FinishedStep,
    StepOutcome,
    StepRecord,
)
from smolville.graphs.loop.model_client import ModelClient, StepQuestion
from smolville.graphs.loop.repairing import (
    additions,
    is_in_vain,
    merge_answers,
    missing_keys,
    narrow_context,
    said_by,
    stop_at_fallback,
    verdict_on,
)
from smolville.graphs.loop.rules import AS_DECLARED, Tier
from smolville.graphs.loop.state import RejectedReply, SpareAnswer, StepState
from smolville.graphs.loop.step import AnyStep, Changes, StepInputs, StepResult
from smolville.graphs.recall import RecallResult, score_row
from smolville.graphs.state import State
from smolville.models.errors import PromptCut
from smolville.parsers.answer import Answer
from smolville.parsers.problem import Problem
from smolville.parsers.prompt_inputs import PromptInput
from smolville.parsers.reader import ParseResult
from smolville.prompts.contract import Format
from smolville.prompts.examples import first_cases

WARMER = 0.25
"""Amount added to the temperature each time that an identical wrong answer comes back."""

UNREADABLE = Problem(
    "",
    "",
    "Your answer could not be read at all. Write one JSON object and nothing else.",
    "no_json",
)
"""The problem of a reply that its own server could not parse."""

StepGraph = CompiledStateGraph[Any, MindContext, Any, Any]
Ways = dict[Hashable, str]
"""Nodes by the names of the ways that lead to them, as routers return these."""


@cache
def build_step(step: AnyStep) -> StepGraph:
    """Return a step as a compiled graph, to be used as a node of another graph.

    It takes and returns the surrounding state (`Step.seen`); the step's own state stays inside.
    """
    nodes = StepNodes(step)
    graph = StateGraph(
        StepState, context_schema=MindContext, input_schema=step.seen, output_schema=step.seen
    )
    graph.add_node("gather", nodes.gather, input_schema=step.seen)
    graph.add_node("ask", nodes.ask)
    graph.add_node("parse", nodes.parse)
    graph.add_node("repair", nodes.repair)
    graph.add_node("fall_back", nodes.fall_back)
    graph.add_node("apply", nodes.apply)
    graph.add_edge(START, "gather")
    graph.add_edge("gather", "ask")
    graph.add_edge("ask", "parse")
    ways: Ways = {"read": "apply", "unreadable": "repair", "given up": "fall_back"}
    graph.add_conditional_edges("parse", nodes.after_parse, ways)
    graph.add_edge("repair", "ask")
    graph.add_edge("fall_back", "apply")
    graph.add_edge("apply", END)
    return graph.compile(name=step.name)


@dataclass(frozen=True)
class StepNodes:
    """The nodes of one step's graph."""

    step: AnyStep

    async def gather(self, state: State, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Collect the inputs from the state, the surroundings and the memories."""
        context, name = runtime.context, self.step.name
        gathered: StepInputs[Any] = await self.step.gather(cast(Any, state), context)
        draft, recall = state.draft, gathered.recall
        if recall is not None and recall.accessed:
            draft = draft.with_access(context.of(state.agent), recall.accessed)
        ordinal, draft = draft.ordinal(name), draft.count_use(name)
        return {
            "around": replace(state, draft=draft),
            "draft": draft,
            "inputs": gathered.inputs,
            "recalled": recall.found if recall else (),
            "recalls": (recall.record,) if recall and recall.record else (),
            "ordinal": ordinal,
            "started": time.time(),
            "clock": time.perf_counter(),
        }

    async def ask(self, state: StepState, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Render the prompt (the first time), shorten it if necessary, and call the model."""
        context, client = runtime.context, runtime.context.client
        if context.asks is not None:
            context.asks(AskEvent(state.agent, self.step.name, state.ordinal, state.attempt))
        showing = state.showing or TrimmedPrompt(
            step=self.step,
            prompt=client.templates.at(context.tick).prompt(self.step),
            whole=cast(PromptInput, state.inputs),
            found=state.recalled,
            all_examples=first_cases(self.step.name, self.step.answer, client.rules.examples),
        )
        clock, render_ms, first = time.perf_counter(), state.render_ms, state.first
        if not first:
            shown = {"examples": showing.examples} if showing.examples else {}
            first = await showing.prompt.ainvoke(showing.inputs, None, **shown)
            render_ms = _measure_since(clock)
        showing, first, call = await self._ask_fitting(state, context, showing, first)
        return {"showing": showing, "first": first, "call": call, "render_ms": render_ms}

    async def _ask_fitting(
        self,
        state: StepState,
        context: MindContext,
        showing: TrimmedPrompt,
        first: list[BaseMessage],
    ) -> tuple[TrimmedPrompt, list[BaseMessage], Call]:
        """Return the answered call, with the part of the case that its prompt showed.

        If nothing more can be left out of the prompt, a repair is sent without its additional
        messages: asking the same question again is better than not asking. Raises ContextError
        when even that does not fit.
        """
        client, tier = context.client, self._tier(state, context.client)
        chat, counting = client.chat(tier), client.counting(tier)
        repair = client.templates.at(context.tick).repair
        more = additions(state.wrongs, client.rules.history, chat.num_ctx, repair)
        allowance = self._max_tokens(client) + chat.thinking_tokens
        lost: list[str] = []
        while True:
            held = await fit_prompt(showing, first, more, counting, allowance)
            if held is None:
                if not more:
                    raise await does_not_fit(showing, counting, allowance)
                more = []
                continue
            showing, first = held
            question = self._question(state, context, showing, [*first, *more], lost)
            try:
                return showing, first, await client.ask(question)
            except PromptCut as cut:
                lost.append(str(cut))
                less = shorter(showing)
                if less is not None:
                    showing, first = less, less.messages()
                elif more:
                    more = []
                else:
                    raise await does_not_fit(showing, counting, allowance, cut) from cut

    def _question(
        self,
        state: StepState,
        context: MindContext,
        showing: TrimmedPrompt,
        messages: Sequence[BaseMessage],
        lost: Sequence[str],
    ) -> StepQuestion:
        step, client = self.step, context.client
        choices = narrow_context(step, replace(state, showing=showing)).get("choices", {})
        own = client.rules.steps.get(step.name, AS_DECLARED).temperature
        # The stand-in answers in JSON whatever is asked, and plants its mistakes by the schema.
        is_held = (
            showing.prompt.form == "json" or client.chat(self._tier(state, client)).wants_inputs
        )
        return StepQuestion(
            key=CallKey(
                owner=context.owner,
                tick=context.tick,
                step=step.name,
                ordinal=state.ordinal,
                attempt=state.attempt,
            ),
            agent=state.agent,
            inputs=showing.inputs.model_dump(mode="json"),
            rule=partial(step.standin, showing.inputs),
            recalled=[score_row(found) for found in showing.recalled],
            template=showing.template,
            messages=messages,
            schema=step.answer.call_schema(choices) if is_held else None,
            tier=self._tier(state, client),
            temperature=round((step.temperature if own is None else own) + state.warmth, 3),
            max_tokens=self._max_tokens(client),
            examples=[{"case": case, "answer": answer} for case, answer in showing.examples],
            dropped=showing.dropped,
            cuts=len(lost),
            lost=tuple(lost),
        )

    async def parse(self, state: StepState, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Read the reply as an answer, or find what is wrong with it."""
        context, call, clock = runtime.context, state.call, time.perf_counter()
        assert call is not None
        if call.finish == "unreadable":
            reading: ParseResult[Answer] = ParseResult(None, problems=(UNREADABLE,))
        else:
            facts, cut = narrow_context(self.step, state), call.finish == "length"
            form = _form_of(state)
            reading = await self.step.parser.aread(call.reply, facts, cut=cut, form=form)
        rules = context.client.rules
        is_last = state.attempt >= rules.repairs
        answer, kept, mends = merge_answers(self.step, state, reading, is_last=is_last)
        outcome, spare = self._outcome(state, context.client, mends), state.spare
        problems, odd = reading.problems if answer is None else (), tuple[Problem, ...]()
        if answer is not None:
            language = context.client.templates.at(context.tick).language
            verdict = verdict_on(self.step, state, answer, language)
            odd = verdict.odd
            # A small model that does not see a fault the first time it is told never does.
            is_doubted = bool(verdict.doubted) and spare is None and not is_last
            if verdict.refused or is_doubted:
                if not verdict.refused:
                    spare = SpareAnswer(answer=answer, outcome=outcome, odd=odd)
                answer, kept, problems = None, (), (*verdict.refused, *verdict.doubted)
        row = CallReading(
            key=call.key,
            accepted=answer is not None,
            mends=mends,
            problems=tuple(str(problem) for problem in problems),
            kinds=tuple(problem.kind for problem in problems),
            milliseconds=_measure_since(clock),
        )
        again = any(said_by(call) == wrong.said for wrong in state.wrongs)
        return {
            "answer": answer,
            "kept": kept,
            "odd": odd if answer is not None else (),
            "spare": spare,
            "problems": row.problems,
            "readings": (*state.readings, row),
            "warmth": state.warmth + (WARMER if again else 0.0),
            "outcome": outcome if answer is not None else "",
        }

    async def after_parse(self, state: StepState, runtime: Runtime[MindContext]) -> str:
        """Return the name of the edge after reading: `read`, `unreadable` or `given up`."""
        if state.answer is not None:
            return "read"
        client = runtime.context.client
        if state.attempt >= client.rules.repairs:
            return "given up"
        return "given up" if is_in_vain(state, client) else "unreadable"

    async def repair(self, state: StepState, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Record what is wrong with the last reply, to be shown in the next prompt."""
        assert state.call is not None
        missing = missing_keys(self.step, state) if state.kept else []
        wrong = RejectedReply(
            said=said_by(state.call),
            problems=state.problems,
            cut=state.call.finish == "length",
            missing=", ".join(str(key) for key in missing) or None,
            form=_form_of(state),
        )
        return {"wrongs": (*state.wrongs, wrong), "attempt": state.attempt + 1}

    async def fall_back(self, state: StepState, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Use the odd answer kept in case of need, or else the step's declared fallback.

        Both are marked as such. With `strict` a fallback stops the run instead.
        """
        if (spare := state.spare) is not None:
            return {"answer": spare.answer, "outcome": spare.outcome, "odd": spare.odd}
        stop_at_fallback(self.step.name, state, runtime.context.client.rules)
        return {"answer": self.step.fallback(state.inputs), "outcome": "fallback"}

    async def apply(self, state: StepState, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Change the surrounding state according to the answer, and report how the step ended."""
        context, name = runtime.context, self.step.name
        assert state.answer is not None
        outcome = cast(StepOutcome, state.outcome)
        result: StepResult[Any, Any] = StepResult(
            inputs=state.inputs,
            answer=state.answer,
            outcome=outcome,
            ordinal=state.ordinal,
            recalled=state.recalled,
            is_odd=bool(state.odd),
        )
        changes = self.step.apply(state.around, context, result)
        record = StepRecord(
            owner=context.owner,
            tick=context.tick,
            step=name,
            ordinal=state.ordinal,
            agent=state.agent,
            outcome=outcome,
            attempts=len(state.readings),
            answer=state.answer.model_dump_json(),
            problems=state.problems if outcome == "fallback" else (),
            odd=tuple(str(problem) for problem in state.odd),
            odd_kinds=tuple(problem.kind for problem in state.odd),
            started=state.started,
            milliseconds=_measure_since(state.clock),
            render_ms=state.render_ms,
            recalls=state.recalls,
        )
        finished = FinishedStep(record=record, readings=state.readings)
        return {
            **changes,
            "finished": [*state.finished, finished],
            "path": [*state.path, name],
        }

    def _max_tokens(self, client: ModelClient) -> int:
        return client.rules.steps.get(self.step.name, AS_DECLARED).max_tokens or (
            self.step.max_tokens
        )

    def _tier(self, state: StepState, client: ModelClient) -> Tier:
        """Return the tier to ask: for the last repair, the strong one if it has another model."""
        is_last = 0 < state.attempt == client.rules.repairs
        return "strong" if is_last and client.can_escalate else client.rules.tier_of(self.step)

    def _outcome(self, state: StepState, client: ModelClient, mends: Sequence[str]) -> StepOutcome:
        """Return the outcome of an accepted answer, which tells how it was obtained."""
        if state.attempt == 0:
            return "mended" if mends else "clean"
        is_other = self._tier(state, client) != client.rules.tier_of(self.step)
        return "escalated" if is_other else "repaired"


async def ask_step(
    step: AnyStep,
    context: MindContext,
    inputs: PromptInput,
    recall: RecallResult | None = None,
    *,
    agent: str,
    draft: Draft | None = None,
) -> StepState:
    """Run one step by itself with given inputs, and return its final state."""
    found = recall.found if recall else ()
    start = StepState(agent=agent, inputs=inputs, recalled=found, draft=draft or Draft())
    config = context.traced_as(f"{agent} · {step.name}")
    done = await build_given_step(step).ainvoke(start, config, context=context, version="v2")
    ended: StepState = done.value
    return ended


@cache
def build_given_step(step: AnyStep) -> StepGraph:
    """Return the graph of a step by itself, which takes given inputs and changes nothing."""
    return build_step(replace(step, gather=take_given, apply=keep_answer, seen=StepState))


async def take_given(state: StepState, context: MindContext) -> StepInputs[Any]:
    """Return the given inputs unchanged."""
    assert state.inputs is not None
    return StepInputs(inputs=state.inputs, recall=RecallResult(found=state.recalled))


def keep_answer(state: StepState, context: MindContext, result: StepResult[Any, Any]) -> Changes:
    """Return no changes: the answer is in the state."""
    return {}


def _measure_since(clock: float) -> float:
    return (time.perf_counter() - clock) * 1000.0


def _form_of(state: StepState) -> Format:
    return "json" if state.showing is None else state.showing.prompt.form
