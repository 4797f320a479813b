"""Run one attempt of a step: fit its prompt to the context, and shorten it more if it was cut."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from langchain_core.messages import BaseMessage

from smolville.graphs.loop.budget import TrimmedPrompt, does_not_fit, fit_prompt, shorter
from smolville.graphs.loop.ledger import Call, CallKey
from smolville.graphs.loop.model_client import ModelClient, StepQuestion
from smolville.graphs.loop.repairing import additions, narrow_context
from smolville.graphs.loop.rules import AS_DECLARED, StepRule, Tier
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.recall import score_row
from smolville.models.chat import Chat
from smolville.models.errors import PromptCut


class AnsweredCall(NamedTuple):
    """An answered call, with the inputs and examples that its prompt contained."""

    showing: TrimmedPrompt
    first: list[BaseMessage]
    call: Call


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One attempt of a step: its key, its state so far, and the model tier that is asked."""

    key: CallKey
    step: AnyStep
    state: StepState
    client: ModelClient
    tier: Tier

    @property
    def chat(self) -> Chat:
        """The model that is asked."""
        return self.client.chat(self.tier)

    @property
    def rule(self) -> StepRule:
        """The rule that holds the operator's changes to the step."""
        return self.client.rules.steps.get(self.key.step, AS_DECLARED)

    @property
    def max_tokens(self) -> int:
        """Token limit of the reply."""
        return self.rule.max_tokens or self.step.max_tokens

    @property
    def allowance(self) -> int:
        """Tokens of the context to keep free for the reply and for the thinking before it."""
        return self.max_tokens + self.chat.thinking_tokens

    @property
    def temperature(self) -> float:
        """The step's temperature, increased after repeated identical wrong answers."""
        own = self.rule.temperature
        usual = self.step.temperature if own is None else own
        return round(usual + self.state.warmth, 3)

    def repair_messages(self) -> list[BaseMessage]:
        """Return the messages that a repair appends to the prompt."""
        repair = self.client.templates.at(self.key.tick).repair
        return additions(self.state.wrongs, self.client.rules.history, self.chat.num_ctx, repair)

    def question(
        self, showing: TrimmedPrompt, messages: Sequence[BaseMessage], lost: Sequence[str]
    ) -> StepQuestion:
        """Return the question for the model client."""
        state = self.state
        if showing is not state.showing:
            state = replace(state, showing=showing)
        choices = narrow_context(self.step, state).get("choices", {})
        return StepQuestion(
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
            examples=[{"case": case, "answer": answer} for case, answer in showing.examples],
            dropped=showing.dropped,
            cuts=len(lost),
            lost=tuple(lost),
        )


async def ask_attempt(
    attempt: Attempt, showing: TrimmedPrompt, first: list[BaseMessage]
) -> AnsweredCall:
    """Return the answered call, and the part of the case that its prompt showed.

    If nothing more can be left out of the prompt, a repair is sent without its additional messages:
    asking the same question again is better than not asking. Raises ContextError when even that
    does not fit.
    """
    more, lost, counting = (
        attempt.repair_messages(),
        list[str](),
        attempt.client.counting(attempt.tier),
    )
    while True:
        held = await fit_prompt(showing, first, more, counting, attempt.allowance)
        if held is None:
            if not more:
                raise await does_not_fit(showing, counting, attempt.allowance)
            more = []
            continue
        showing, first = held
        try:
            question = attempt.question(showing, [*first, *more], lost)
            return AnsweredCall(showing, first, await attempt.client.ask(question))
        except PromptCut as cut:
            lost.append(str(cut))
            less = shorter(showing)
            if less is not None:
                showing, first = less, less.messages()
            elif more:
                more = []
            else:
                raise await does_not_fit(showing, counting, attempt.allowance, cut) from cut
