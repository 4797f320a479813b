"""The nodes of a step's graph: gather, ask, parse, repair or fall back, and apply.

gather ─→ ask ─→ parse ─┬─ read ──────→ apply
           ↑            ├─ unreadable → repair ─┐      (at most `repairs` times)
           └────────────┼───────────────────────┘
                        └─ given up ──→ fall_back ─→ apply
"""

import time
from dataclasses import dataclass, replace
from typing import Any, cast

from langgraph.runtime import Runtime

from smolville.graphs.context import MindContext
from smolville.graphs.loop.attempt import Attempt, ask_attempt
from smolville.graphs.loop.budget import TrimmedPrompt
from smolville.graphs.loop.judging import (
    JudgedReply,
    judged_answer,
    stop_at_fallback,
    stop_at_odd,
)
from smolville.graphs.loop.ledger import (
    AskEvent,
    CallKey,
    CallReading,
    FinishedStep,
    StepOutcome,
    StepRecord,
)
from smolville.graphs.loop.narrowing import (
    asks_less,
    filled_up,
    is_in_vain,
    lesser_prompt,
    right_part,
    whole_answer,
)
from smolville.graphs.loop.repairing import merge_answers, missing_keys, narrow_context, said_by
from smolville.graphs.loop.rules import Tier
from smolville.graphs.loop.state import RejectedReply, SpareAnswer, StepState
from smolville.graphs.loop.step import AnyStep, StepInputs, StepResult
from smolville.graphs.state import State
from smolville.parsers.answer import Answer
from smolville.parsers.problem import Problem
from smolville.parsers.reader import ParseResult
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
        context = runtime.context
        key = self._key(state, context)
        if context.asks is not None:
            context.asks(AskEvent(state.agent, key.step, key.ordinal, key.attempt))
        showing = state.showing or self._all_there_is(state, context)
        clock, render_ms, first = time.perf_counter(), state.render_ms, state.first
        if not first:
            shown = {"examples": showing.examples} if showing.examples else {}
            first = await showing.prompt.ainvoke(showing.inputs, None, **shown)
            render_ms = _measure_since(clock)
        attempt = Attempt(
            key=key,
            step=self.step,
            state=state,
            client=context.client,
            tier=self._tier(state, context),
        )
        sent = await ask_attempt(attempt, showing, first)
        return {
            "showing": sent.showing,
            "first": sent.first,
            "call": sent.call,
            "render_ms": render_ms,
        }

    async def parse(self, state: StepState, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Read the reply as an answer, or find what is wrong with it."""
        context, call, clock = runtime.context, state.call, time.perf_counter()
        assert call is not None
        if call.finish == "unreadable":
            reading: ParseResult[Answer] = ParseResult(None, problems=(UNREADABLE,))
        else:
            facts, cut = narrow_context(self.step, state), call.finish == "length"
            reading = await self.step.parser.aread(call.reply, facts, cut=cut)
        rules = context.client.rules
        is_last = state.attempt >= rules.repairs_of(self.step)
        answer, kept, mends = merge_answers(self.step, state, reading, is_last=is_last)
        read = JudgedReply(answer, kept, problems=() if answer is not None else reading.problems)
        templates = context.client.templates.at(context.tick)
        judged = judged_answer(self.step, state, read, templates, is_last=is_last)
        answer, problems = whole_answer(self.step, state, judged.answer), judged.problems
        part = right_part(self.step, state, read.answer, reading.kept, problems)
        outcome = self._outcome(state, context, mends)
        row = CallReading(
            key=call.key,
            accepted=answer is not None,
            mends=mends,
            problems=tuple(str(problem) for problem in problems),
            kinds=tuple(problem.kind for problem in problems),
            milliseconds=_measure_since(clock),
        )
        better = judged.spare
        spare = (
            SpareAnswer(answer=better, outcome=outcome, odd=judged.odd) if better else state.spare
        )
        is_blind = rules.history == "none"
        again = not is_blind and any(said_by(call) == wrong.said for wrong in state.wrongs)
        return {
            "answer": answer,
            "kept": () if is_blind else judged.kept,
            "odd": judged.odd if answer is not None else (),
            "part": None if is_blind else part,
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
        if state.attempt >= client.rules.repairs_of(self.step):
            return "given up"
        is_over = is_in_vain(state, client) and not asks_less(self.step, state, client)
        return "given up" if is_over else "unreadable"

    async def repair(self, state: StepState, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Record what is wrong with the last reply, to be shown in the next prompt.

        Where asking again is useless, the next prompt is the step's narrower question, or shows no
        examples to copy.
        """
        assert state.call is not None
        if (less := lesser_prompt(self.step, state, runtime.context)) is not None:
            return {"attempt": state.attempt + 1, **less}
        missing = missing_keys(self.step, state) if state.kept else []
        wrong = RejectedReply(
            said=said_by(state.call),
            problems=state.problems,
            cut=state.call.finish == "length",
            missing=", ".join(str(key) for key in missing) or None,
        )
        return {"wrongs": (*state.wrongs, wrong), "attempt": state.attempt + 1}

    async def fall_back(self, state: StepState, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Use the odd answer kept in case of need, or else the step's declared fallback.

        Both are marked as such. With `strict` a fallback stops the run instead.
        """
        if (spare := state.spare) is not None:
            return {"answer": spare.answer, "outcome": spare.outcome, "odd": spare.odd}
        stop_at_fallback(self.step.name, state, runtime.context.client.rules)
        if (filled := filled_up(self.step, state)) is not None:
            return filled
        return {"answer": self.step.fallback(state.inputs), "outcome": "fallback"}

    async def apply(self, state: StepState, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Change the surrounding state according to the answer, and report how the step ended.

        An answer with an oddity of a kind in `strict_sense` stops the run instead.
        """
        context, name = runtime.context, self.step.name
        stop_at_odd(name, state, context.client.rules)
        outcome = cast(StepOutcome, state.outcome)
        result: StepResult[Any, Any] = StepResult(
            inputs=state.inputs,
            answer=state.answer,
            outcome=outcome,
            ordinal=state.ordinal,
            recalled=state.recalled,
            filled=state.filled,
            is_odd=bool(state.odd),
        )
        changes = self.step.apply(state.around, context, result)
        finished = FinishedStep(
            record=self._record(state, context, outcome),
            readings=state.readings,
        )
        return {
            **changes,
            "finished": [*state.finished, finished],
            "path": [*state.path, name],
        }

    def _record(self, state: StepState, context: MindContext, outcome: StepOutcome) -> StepRecord:
        """Return the step's row for the history."""
        assert state.answer is not None
        return StepRecord(
            owner=context.owner,
            tick=context.tick,
            step=self.step.name,
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

    def _all_there_is(self, state: StepState, context: MindContext) -> TrimmedPrompt:
        """Return the case with nothing left out, and the step's examples."""
        assert state.inputs is not None
        client, step = context.client, self.step
        return TrimmedPrompt(
            step=step,
            prompt=client.templates.at(context.tick).prompt(step),
            whole=state.inputs,
            found=state.recalled,
            all_examples=first_cases(step.name, step.answer, client.rules.examples_of(step)),
        )

    def _key(self, state: StepState, context: MindContext) -> CallKey:
        return CallKey(
            owner=context.owner,
            tick=context.tick,
            step=self.step.name,
            ordinal=state.ordinal,
            attempt=state.attempt,
        )

    def _first_tier(self, context: MindContext) -> Tier:
        """Return the tier of the first attempt: the one set by the operator, or the step's own."""
        return context.client.rules.tier_of(self.step)

    def _tier(self, state: StepState, context: MindContext) -> Tier:
        """Return the tier to ask: for the last repair, the strong one if it has another model."""
        client = context.client
        last = 0 < state.attempt == client.rules.repairs_of(self.step)
        return "strong" if last and client.can_escalate else self._first_tier(context)

    def _outcome(self, state: StepState, context: MindContext, mends: tuple[str, ...]) -> str:
        """Return the outcome of an accepted answer, which tells how it was obtained."""
        if state.attempt == 0:
            return "mended" if mends else "clean"
        is_other = self._tier(state, context) != self._first_tier(context)
        return "escalated" if is_other else "repaired"


def _measure_since(clock: float) -> float:
    """Return the milliseconds since a reading of the performance counter."""
    return (time.perf_counter() - clock) * 1000.0
