"""The stand-in: a chat model that answers each call by the rule that its step declares."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any, ClassVar

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from smolville.models.chat import RepairMessage
from smolville.models.standin.mistakes import (
    AskedCall,
    Mistake,
    is_healed,
    make_mistake,
    read_rates,
)
from smolville.models.standin.rule import Dice, Rule
from smolville.models.tokens import estimate_tokens

REMINDER = "Check:"
"""The beginning of a prompt's line about a frequent mistake; the line works like a repair
message."""
_ONLY = re.compile(r"\bonly (?:these|this|the|for|with)?\b[^0-9\n]{0,40}((?:\d+(?:, | and )?)+)")
_UNSEEN = frozenset({"inputs", "rule", "schema"})
"""Arguments of a call that are not sent to a model."""


class StandInError(Exception):
    """The stand-in was asked a question that it cannot answer honestly.

    No step, inputs or rule came with the call, or the answer would use something that the rendered
    messages do not show. The developer of the prompt or of the call has to fix it.
    """


class StandIn(BaseChatModel):
    """A chat model without a model behind it: the same question gives the same answer.

    The intended answer depends only on its seed and the inputs, so that a repair gets the same
    intended answer, and a town in which all mistakes are repaired has the same history as a town
    without mistakes. A mistake is made until a repair message names it, or a line of the prompt
    that begins with `Check:` does. Thus work on a prompt can be tried without a model, too.

    It is called like any other model, with the step's name, its inputs as plain values, and its
    rule for these inputs as further arguments:

    `await model.ainvoke(messages, step="plan_day", inputs={...}, rule=rule, seed=123)`.
    """

    wants_inputs: ClassVar[bool] = True
    """It needs the inputs and the rule, which are left out of traces."""

    seed: int = 0
    rates: dict[str, float] = Field(default_factory=dict)
    """For each kind of mistake, the share of cases in which it is made."""
    grounded: bool = True
    """Whether an answer that uses something not in the messages is an error."""

    @property
    def _llm_type(self) -> str:
        return "smolville-standin"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"seed": self.seed, "rates": self.rates}

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        """Return the reply. Raises StandInError when it cannot be given honestly."""
        message = self._reply(messages, kwargs)
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages, **kwargs)

    def _get_invocation_params(
        self, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Return the arguments to show in traces, without those that no real model gets."""
        shown = {name: value for name, value in kwargs.items() if name not in _UNSEEN}
        return super()._get_invocation_params(stop=stop, **shown)

    def _reply(self, messages: list[BaseMessage], kwargs: Mapping[str, Any]) -> AIMessage:
        step, inputs = kwargs.get("step") or "", kwargs.get("inputs")
        rule: Rule | None = kwargs.get("rule")
        if not step or inputs is None or rule is None:
            raise StandInError(
                "the stand-in answers cognitive steps only: call it with step=, inputs= and rule="
            )
        places = [at for at, each in enumerate(messages) if isinstance(each, RepairMessage)]
        first = [str(each.text) for each in messages[: places[0] - 1 if places else None]]
        repairs = [str(messages[at].text) for at in places]
        meant = rule(Dice(self.seed, step, _digest(json.dumps(inputs))))
        if self.grounded:
            _check_grounded(step, meant.used, "\n".join([*first, *repairs]))
        answer = meant.answer
        if repairs:
            answer = _only_asked(meant.repaired or answer, repairs[-1])
        intended = json.dumps(answer, ensure_ascii=False)
        mistake = None
        if self.rates:
            call = AskedCall(kwargs.get("schema") or {}, "\n".join(first))
            dice = Dice(self.seed, step, _digest(*first))
            mistake = make_mistake(self.rates, call, answer, intended, dice)
        if mistake is not None and is_healed(mistake, [*_reminders(first), *repairs]):
            mistake = None
        text = mistake.text if mistake else intended
        text, is_cut = _cut_to(text, kwargs.get("max_tokens"))
        is_cut = is_cut or (mistake is not None and mistake.is_cut)
        prompt = sum(tokens_of(str(each.text)) for each in messages)
        return _message(text, is_cut, intended, mistake, prompt)


def build(args: Mapping[str, str], seed: int) -> StandIn:
    """Return the stand-in with the arguments of a spec such as `standin:mistakes=0.2,seed=7`.

    Raises ValueError with a sentence for an invalid one.
    """
    own = args.get("seed", str(seed))
    if re.fullmatch(r"-?\d+", own) is None:
        raise ValueError(f"the stand-in's seed={own} is no whole number")
    rates = read_rates({name: text for name, text in args.items() if name != "seed"})
    return StandIn(seed=int(own), rates=rates)


def _digest(*texts: str) -> str:
    return blake2b("\x1e".join(texts).encode(), digest_size=12).hexdigest()


def _message(
    text: str, is_cut: bool, intended: str, mistake: Mistake | None, prompt: int
) -> AIMessage:
    """Return the message with its counts; the intended answer is metadata, not in the text."""
    reply = tokens_of(text)
    meant = {"intended": intended, "mistake": mistake.kind if mistake else ""}
    if mistake is not None:
        meant["field"] = mistake.field
    ended = "length" if is_cut else "stop"
    return AIMessage(
        content=text,
        response_metadata={"model_name": "standin", "finish_reason": ended, **meant},
        usage_metadata=UsageMetadata(
            input_tokens=prompt, output_tokens=reply, total_tokens=prompt + reply
        ),
    )


@lru_cache(maxsize=2048)
def tokens_of(text: str) -> int:
    """Return the approximate number of a text's tokens; texts shared by many prompts are cached."""
    return estimate_tokens(text)


def _cut_to(text: str, most: int | None) -> tuple[str, bool]:
    """Return the text cut after `most` tokens, and whether it was cut."""
    if most is None or len(text) <= most or (count := tokens_of(text)) <= most:
        return text, False
    return text[: max(1, len(text) * most // count)], True


def _only_asked(answer: dict[str, Any], repair: str) -> dict[str, Any]:
    """Return the answer reduced to the numbered items that the repair message still asks for."""
    found = _ONLY.search(repair)
    wanted = {int(number) for number in re.findall(r"\d+", found[1])} if found else set()
    for name, value in answer.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = [item for item in value if item.get("number") in wanted]
            return {**answer, name: items} if items else answer
    return answer


def _reminders(messages: list[str]) -> list[str]:
    """Return the lines of a prompt that begin with `Check:`, which warn of mistakes."""
    lines = (line.strip() for text in messages for line in text.splitlines())
    return [line for line in lines if line.startswith(REMINDER)]


def _check_grounded(step: str, used: tuple[str, ...], shown: str) -> None:
    """Raise StandInError if the prompt `shown` lacks the words of a text the answer is based on."""
    for text in used:
        if text not in shown and not _beginnings(text) <= _beginnings(shown):
            raise StandInError(
                f"the stand-in will not answer {step!r} with {text!r}: "
                "the rendered messages do not show it"
            )


def _beginnings(text: str) -> set[str]:
    """Return the first letters of each word, by which its forms are alike."""
    return {word[:4].lower() for word in re.findall(r"\w+", text)}
