"""Put one attempt of a step to its model: held to the context, and shortened when it was cut."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from langchain_core.messages import BaseMessage

from graphs.context import score_row
from graphs.loop.budget import Showing, does_not_fit, fitted, shorter
from graphs.loop.desk import Desk, Question
from graphs.loop.ledger import Call, CallKey
from graphs.loop.repairing import additions, narrowed
from graphs.loop.rules import AS_DECLARED, StepRule, Tier
from graphs.loop.state import StepState
from graphs.loop.step import AnyStep
from models.chat import Chat
from models.errors import PromptCut


class Sent(NamedTuple):
    """A call that was answered, and what its prompt showed."""

    showing: Showing
    first: list[BaseMessage]
    call: Call


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One attempt of a step: who asks whom, and what came before."""

    key: CallKey
    step: AnyStep
    state: StepState
    desk: Desk
    tier: Tier

    @property
    def chat(self) -> Chat:
        """The model that is asked."""
        return self.desk.chat(self.tier)

    @property
    def rule(self) -> StepRule:
        """What the operator changed about the step."""
        return self.desk.rules.steps.get(self.key.step, AS_DECLARED)

    @property
    def max_tokens(self) -> int:
        """The reply's allowance."""
        return self.rule.max_tokens or self.step.max_tokens

    @property
    def allowance(self) -> int:
        """What the context must keep free: the reply, and the thinking before it."""
        return self.max_tokens + self.chat.thinking_tokens

    @property
    def temperature(self) -> float:
        """The step's, and what repeated wrong answers added to it."""
        own = self.rule.temperature
        usual = self.step.temperature if own is None else own
        return round(usual + self.state.warmth, 3)

    def added(self) -> list[BaseMessage]:
        """Return what a repair puts behind the prompt."""
        repair = self.desk.templates.at(self.key.tick).repair
        return additions(self.state.wrongs, self.desk.rules.history, self.chat.num_ctx, repair)

    def question(
        self, showing: Showing, messages: Sequence[BaseMessage], lost: Sequence[str]
    ) -> Question:
        """Return the question for the desk."""
        state = self.state
        if showing is not state.showing:
            state = replace(state, showing=showing)
        choices = narrowed(self.step, state).get("choices", {})
        return Question(
            key=self.key,
            agent=state.agent,
            inputs=showing.inputs.model_dump(mode="json"),
            rule=partial(self.step.standin, showing.inputs),
            recalled=[score_row(found) for found in showing.recalled],
            template=showing.template,
            messages=messages,
            schema=self.step.answer.call_schema(choices),
            tier=self.tier,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            examples=[each.row() for each in showing.examples],
            dropped=showing.dropped,
            cuts=len(lost),
            lost=tuple(lost),
        )


async def put(attempt: Attempt, showing: Showing, first: list[BaseMessage]) -> Sent:
    """Return the answered call, and what of the case had room.

    Where nothing more can be left out of the prompt, a repair goes without what it adds: the same
    question again is better than none. Raises ContextError when even that has no room.
    """
    more, lost, counting = attempt.added(), list[str](), attempt.desk.counting(attempt.tier)
    while True:
        held = await fitted(showing, first, more, counting, attempt.allowance)
        if held is None:
            if not more:
                raise await does_not_fit(showing, counting, attempt.allowance)
            more = []
            continue
        showing, first = held
        try:
            question = attempt.question(showing, [*first, *more], lost)
            return Sent(showing, first, await attempt.desk.ask(question))
        except PromptCut as cut:
            lost.append(str(cut))
            less = shorter(showing)
            if less is not None:
                showing, first = less, less.messages()
            elif more:
                more = []
            else:
                raise await does_not_fit(showing, counting, attempt.allowance, cut) from cut
