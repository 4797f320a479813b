"""The stand-in: a chat model that answers each call by the rule that its step declares."""

import json
import re
from collections.abc import Mapping, Sequence
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
from smolville.models.standin.mistakes import AskedCall, Mistake, is_healed, make_mistake
from smolville.models.standin.rule import Dice, Rule, RuleAnswer
from smolville.models.standin.settings import read_settings
from smolville.models.standin.words import stems
from smolville.models.tokens import estimate_tokens

REMINDER = "Check:"
"""The beginning of a prompt's line about a frequent mistake; the line works like a repair
message."""
_LISTS = {"rate_importance": ("ratings", "number"), "tell_memories": ("memories", "number")}
_ONLY = re.compile(r"\bonly (?:these|this|the|for|with)?\b[^0-9\n]{0,40}((?:\d+(?:, | and )?)+)")
_NAME = re.compile(r"\b[A-Z][\w’'-]*[^\W_]")


class StandInError(Exception):
    """The stand-in was asked a question that it cannot answer honestly.

    No step, inputs or rule came with the call, or the answer would use a name, a place or a memory
    that the rendered messages do not show. The developer of the prompt or of the call has to fix
    it.
    """


_UNSEEN = frozenset({"inputs", "rule", "schema"})
"""Arguments of a call that are not sent to a model."""


class StandIn(BaseChatModel):
    """A chat model without a model behind it: the same question gives the same answer.

    The intended answer depends only on its seed and the inputs, so that a repair gets the same
    intended answer, and a town in which all mistakes are repaired has the same history as a town
    without mistakes. The seed of a call only affects mistakes that are not sticky. A mistake is no
    longer made when a repair message names it, or when a line of the prompt that begins with
    `Check:` does. Thus work on a prompt can be tried without a model, too.

    It is called like any other model, with the step's name, its inputs as plain values, and its
    rule for these inputs as further arguments:

    `await model.ainvoke(messages, step="plan_day", inputs={...}, rule=rule, seed=123)`.
    """

    wants_inputs: ClassVar[bool] = True
    """It needs the inputs and the rule, which are left out of traces."""

    seed: int = 0
    rates: dict[str, float] = Field(default_factory=dict)
    """For each kind of mistake, the share of cases in which it is made."""
    sticky: bool = True
    """Whether a mistake returns until a repair message names it."""
    grounded: bool = True
    """Whether an answer that uses something not in the messages is an error."""

    @property
    def _llm_type(self) -> str:
        return "smolville-standin"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"seed": self.seed, "rates": self.rates, "sticky": self.sticky}

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
        """Return the reply; it never waits."""
        return self._generate(messages, **kwargs)

    def _get_invocation_params(
        self, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Return the arguments to show in traces, without those that no real model gets."""
        shown = {name: value for name, value in kwargs.items() if name not in _UNSEEN}
        return super()._get_invocation_params(stop=stop, **shown)

    def _reply(self, messages: list[BaseMessage], kwargs: Mapping[str, Any]) -> AIMessage:
        """Return the reply to one call."""
        step, inputs = kwargs.get("step") or "", kwargs.get("inputs")
        rule: Rule | None = kwargs.get("rule")
        if not step or inputs is None or rule is None:
            raise StandInError(
                "the stand-in answers cognitive steps only: call it with step=, inputs= and rule="
            )
        first, repairs = _split_messages(messages)
        meant = rule(Dice(self.seed, step, _digest(json.dumps(inputs))))
        if self.grounded:
            check_grounded(step, meant, inputs, "\n".join([*first, *repairs]))
        corrected = meant.answer if meant.repaired is None else meant.repaired
        answer = only_asked(step, corrected, repairs[-1]) if repairs else meant.answer
        intended = json.dumps(answer, ensure_ascii=False)
        mistake = self._mistake(step, answer, intended, first, repairs, kwargs)
        text = mistake.text if mistake else intended
        text, is_cut = cut_to(text, kwargs.get("max_tokens"))
        is_cut = is_cut or (mistake is not None and mistake.is_cut)
        return _message(
            text, is_cut, intended, mistake, sum(tokens_of(_text(each)) for each in messages)
        )

    def _mistake(
        self,
        step: str,
        answer: dict[str, Any],
        text: str,
        first: list[str],
        repairs: list[str],
        kwargs: Mapping[str, Any],
    ) -> Mistake | None:
        """Return the mistake in this reply, if it has one."""
        if not self.rates:
            return None
        again = () if self.sticky else (len(repairs), kwargs.get("seed", 0))
        dice = Dice(self.seed, step, _digest(*first), *again)
        call = AskedCall(kwargs.get("schema") or {}, "\n".join(first))
        made = make_mistake(self.rates, call, answer, text, dice)
        return None if made is None or is_healed(made, [*reminders(first), *repairs]) else made


def build(args: Mapping[str, str], seed: int) -> StandIn:
    """Return the stand-in with a spec's arguments. Raises ValueError for an unknown one."""
    settings = read_settings(args, seed)
    return StandIn(
        seed=settings.seed,
        rates=dict(settings.rates),
        sticky=settings.sticky,
        grounded=settings.grounded,
    )


def _digest(*texts: str) -> str:
    """Return a short hash of texts."""
    return blake2b("\x1e".join(texts).encode(), digest_size=12).hexdigest()


def _text(message: BaseMessage) -> str:
    """Return a message's text."""
    content = message.content
    return content if isinstance(content, str) else str(message.text)


def _split_messages(messages: Sequence[BaseMessage]) -> tuple[list[str], list[str]]:
    """Return the texts of the first question, and those of repair messages."""
    repairs = [at for at, each in enumerate(messages) if isinstance(each, RepairMessage)]
    end = repairs[0] - 1 if repairs else len(messages)
    return [_text(each) for each in messages[:end]], [_text(messages[at]) for at in repairs]


def _message(
    text: str, is_cut: bool, intended: str, mistake: Mistake | None, prompt: int
) -> AIMessage:
    """Return the message with its counts; the intended answer is metadata, not in the text."""
    reply = tokens_of(text)
    meant = {"intended": intended, "mistake": mistake.kind if mistake else ""}
    if mistake is not None:
        meant["field"] = mistake.field
    return AIMessage(
        content=text,
        additional_kwargs=dict(meant),
        response_metadata={
            "model_name": "standin",
            "finish_reason": "length" if is_cut else "stop",
            **meant,
        },
        usage_metadata=UsageMetadata(
            input_tokens=prompt, output_tokens=reply, total_tokens=prompt + reply
        ),
    )


@lru_cache(maxsize=2048)
def tokens_of(text: str) -> int:
    """Return the approximate number of a text's tokens; texts shared by many prompts are cached."""
    return estimate_tokens(text)


def cut_to(text: str, most: int | None) -> tuple[str, bool]:
    """Return the text cut after `most` tokens, and whether it was cut."""
    if most is None or len(text) <= most:
        return text, False
    count = tokens_of(text)
    if count <= most:
        return text, False
    return text[: max(1, len(text) * most // count)], True


def only_asked(step: str, answer: dict[str, Any], repair: str) -> dict[str, Any]:
    """Return the answer reduced to the items that the repair message still asks for."""
    found = _ONLY.search(repair)
    if step not in _LISTS or found is None:
        return answer
    name, key = _LISTS[step]
    wanted = {int(number) for number in re.findall(r"\d+", found[1])}
    items = [item for item in answer[name] if item[key] in wanted]
    return {**answer, name: items} if items else answer


def reminders(messages: Sequence[str]) -> list[str]:
    """Return the lines of a prompt that begin with `Check:`, which warn of mistakes."""
    lines = (line.strip() for text in messages for line in text.splitlines())
    return [line for line in lines if line.startswith(REMINDER)]


def check_grounded(step: str, meant: RuleAnswer, inputs: Mapping[str, Any], shown: str) -> None:
    """Raise StandInError if the answer uses a text of the inputs that the prompt `shown` lacks.

    It checks the texts on which the answer is based, and every capitalised word of the answer. A
    word is not taken for a name if it is capitalised in the inputs only because it begins a
    sentence, or if it is a word such as `How`.
    """
    for text in meant.used:
        if text and text not in shown and not _is_told(text, shown):
            raise StandInError(
                f"the stand-in will not answer {step!r} with {text!r}: "
                "the rendered messages do not show it"
            )
    written = json.dumps(meant.answer, ensure_ascii=False)
    unseen = [name for name in _NAME.findall(written) if name not in shown and stems(name)]
    if not unseen:
        return
    given = json.dumps(inputs, ensure_ascii=False)
    for name in unseen:
        word = re.escape(name)
        if re.search(rf'(?<![.!?] )(?<!")\b{word}\b|"{word}(?: [A-Z]\w+)*"', given):
            raise StandInError(
                f"the stand-in will not answer {step!r} with the name {name!r}: "
                "the rendered messages do not show it"
            )


def _is_told(text: str, shown: str) -> bool:
    """Return True when a text's words are shown, even in another form: wrapped or listed."""
    return stems(text) <= stems(shown)
