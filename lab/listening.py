"""A chat of which somebody can see what it is asked at this moment, and since when."""

import time
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from models.chat import Chat
from models.reply import Reply

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage


@dataclass(kw_only=True)
class Calls:
    """Calls that have no reply yet, the oldest first; other threads may read it."""

    _open: dict[int, tuple[str, float]] = field(default_factory=dict)
    """Step, and reading of the monotonic clock, by a number of the call's own."""
    _begun: int = 0

    def begin(self, step: str) -> int:
        """Take in a call; gives its number."""
        self._begun += 1
        self._open[self._begun] = (step, time.monotonic())
        return self._begun

    def end(self, number: int) -> None:
        """Take out a call that has ended."""
        self._open.pop(number, None)

    def told(self) -> str:
        """Return the oldest call, since when it is waited for, and how many more are: a phrase."""
        waiting = tuple(self._open.values())
        if not waiting:
            return ""
        step, since = waiting[0]
        more = f" · {len(waiting) - 1} more asked" if waiting[1:] else ""
        return f"{step or 'a question'}, {time.monotonic() - since:.0f} s{more}"


@dataclass(kw_only=True)
class HeardChat(Chat):
    """A model whose open calls are counted."""

    calls: Calls = field(default_factory=Calls, repr=False)

    @classmethod
    def of(cls, chat: Chat, calls: Calls) -> "HeardChat":
        """Return the same model, whose calls are heard of."""
        same = {each.name: getattr(chat, each.name) for each in fields(Chat)}
        return cls(**same, calls=calls)

    async def ask(self, messages: "list[BaseMessage]", **how: Any) -> Reply:
        """Return the reply to one call, which is open until then."""
        number = self.calls.begin(str(how.get("step", "")))
        try:
            return await super().ask(messages, **how)
        finally:
            self.calls.end(number)
