"""A chat that shows which calls are pending, and for how long."""

import time
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from smolville.models.chat import Chat
from smolville.models.reply import Reply

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage


@dataclass(kw_only=True)
class PendingCalls:
    """Calls without a reply yet, oldest first; other threads may read them."""

    _open: dict[int, tuple[str, float]] = field(default_factory=dict)
    """The step and the start time (monotonic clock) of each call, by call number."""
    _begun: int = 0

    def begin(self, step: str) -> int:
        """Register a call, and return its number."""
        self._begun += 1
        self._open[self._begun] = (step, time.monotonic())
        return self._begun

    def end(self, number: int) -> None:
        """Remove a call that has ended."""
        self._open.pop(number, None)

    def describe(self) -> str:
        """Return a phrase: the oldest pending call, its age, and how many more there are."""
        waiting = tuple(self._open.values())
        if not waiting:
            return ""
        step, since = waiting[0]
        more = f" · {len(waiting) - 1} more asked" if waiting[1:] else ""
        return f"{step or 'a question'}, {time.monotonic() - since:.0f} s{more}"


@dataclass(kw_only=True)
class HeardChat(Chat):
    """A chat model that registers its pending calls in `calls`."""

    calls: PendingCalls = field(default_factory=PendingCalls, repr=False)

    @classmethod
    def of(cls, chat: Chat, calls: PendingCalls) -> "HeardChat":
        """Return the same model, with its pending calls registered in `calls`."""
        same = {each.name: getattr(chat, each.name) for each in fields(Chat)}
        same["servers"] = tuple(cls.of(each, calls) for each in chat.servers)
        return cls(**same, calls=calls)

    async def ask(self, messages: "list[BaseMessage]", **how: Any) -> Reply:
        """Return the reply to a call, which is registered as pending meanwhile."""
        number = self.calls.begin(str(how.get("step", "")))
        try:
            return await super().ask(messages, **how)
        finally:
            self.calls.end(number)
