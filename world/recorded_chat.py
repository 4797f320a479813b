"""A chat model's stand-in that answers only with the replies that a run has recorded."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

import orjson

from agents.errors import RunError
from graphs.loop.ledger import Call
from graphs.loop.model_client import plain_messages
from history.calls import LISTING, Unpacker, read_call
from models.chat import Chat
from models.errors import PromptCut
from models.reply import Reply
from models.request import ModelSettings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig

    from models.standin.rule import Rule

SLOTS = 16
"""Number of questions that are answered at the same time."""
_CALLS = f"SELECT {LISTING} FROM calls WHERE tick <= ? ORDER BY tick, rowid"  # noqa: S608


class UnrecordedQuestion(RunError):
    """Raised when a replayed run asks a question that has no recorded answer."""

    def __init__(self, step: str, recorded: Call | None) -> None:
        """Keep the call that is recorded in the question's place, if there is one."""
        if recorded is None:
            super().__init__(f"the step `{step}` asks something that was not recorded")
        else:
            super().__init__(
                f"the step `{step}` of {recorded.agent} asks something else than was recorded"
            )
        self.step = step
        self.recorded = recorded


@dataclass(frozen=True)
class RecordedReplies:
    """The calls of a run up to a tick, found by step and random seed.

    A call's seed is drawn from its key, so a seed belongs to one call; in a long run, rarely, to a
    few.
    """

    calls: Mapping[tuple[str, int], Sequence[Call]]

    @classmethod
    def read(cls, connection: sqlite3.Connection, until: int) -> "RecordedReplies":
        """Return the calls of a history up to a tick, those of unfinished steps too."""
        unpacker = Unpacker(connection)
        found: defaultdict[tuple[str, int], list[Call]] = defaultdict(list)
        for cells in connection.execute(_CALLS, (until,)):
            call = read_call(cells, unpacker)
            found[call.key.step, call.seed].append(call)
        return cls(found)

    def __iter__(self) -> Iterator[Call]:
        """Yield all calls."""
        return (call for calls in self.calls.values() for call in calls)


@dataclass(kw_only=True)
class RecordedChat(Chat):
    """Answers each question with its recorded reply; raises UnrecordedQuestion if there is none."""

    replies: RecordedReplies = field(repr=False)
    _cuts: Counter[tuple[str, int]] = field(default_factory=Counter, repr=False)
    """Number of prompts refused so far as too long, as the recorded server did, by question."""

    async def ask(
        self,
        messages: "list[BaseMessage]",
        *,
        schema: Mapping[str, Any] | None = None,
        seed: int = 0,
        temperature: float = 0.0,
        max_tokens: int = 512,
        step: str = "",
        inputs: Mapping[str, Any] | None = None,
        rule: "Rule | None" = None,
        slot: int | None = None,
        config: "RunnableConfig | None" = None,
    ) -> Reply:
        """Return the reply recorded to this question.

        Raises PromptCut where the recorded server refused this prompt as too long.
        """
        asked = (
            orjson.dumps(plain_messages(messages)).decode(),
            orjson.dumps(schema).decode() if self.constrains else "",
            temperature,
            max_tokens,
        )
        known = self.replies.calls.get((step, seed), ())
        for call in known:
            if asked == (call.messages, call.schema, call.temperature, call.max_tokens):
                return _reply_of(call)
        if any(call.cuts > self._cuts[step, seed] for call in known):
            self._cuts[step, seed] += 1
            raise PromptCut("the recorded server could not take a prompt as long as this")
        raise UnrecordedQuestion(step, next(iter(known), None))


def open_recorded_chat(
    spec: str, replies: RecordedReplies, settings: ModelSettings, window: int | None
) -> RecordedChat:
    """Return a chat that stands in for the model of a spec; `window` is its context size."""
    calls = [call for call in replies if call.model == spec]
    thinks = settings.thinking and any(call.thinking_tokens for call in calls)
    return RecordedChat(
        spec=spec,
        name=spec,
        # Nothing is ever sent to a model: `ask` is all that a run calls.
        model=cast("BaseChatModel", None),
        slots=SLOTS,
        constrains=any(call.schema for call in calls),
        num_ctx=window,
        thinking_tokens=settings.thinking_tokens if thinks else 0,
        replies=replies,
    )


def _reply_of(call: Call) -> Reply:
    """Return a recorded call's reply, with everything its server said about it."""
    return Reply(
        text=call.reply,
        finish=cast(Literal["stop", "length", "unreadable"], call.finish),
        prompt_tokens=call.prompt_tokens,
        completion_tokens=call.completion_tokens,
        thinking_tokens=call.thinking_tokens,
        cached_tokens=call.cached_tokens,
        milliseconds=call.milliseconds,
        prompt_ms=call.prompt_ms,
        reply_ms=call.reply_ms,
        thinking=call.thinking,
    )
