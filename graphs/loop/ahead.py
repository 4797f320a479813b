"""Speculative replies: answers of a model to questions that a thought will probably ask later.

While somebody has to wait for others, the model can already be asked what they would think if
nobody came near. The replies are kept in memory under exactly what was asked. If the thought then
asks the same, it gets the reply at once, and only then is the call written to the run's journal. If
it asks anything else, because the world has changed, the reply is thrown away and counted.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from smolville.graphs.loop.ledger import Call, CallKey
from smolville.graphs.loop.sending import wait_for_reply

Asked = tuple[CallKey, str, str]
"""A call's key, the hash of everything sent to the model, and the inputs in full."""


@dataclass(kw_only=True)
class AheadCall:
    """One call that was made ahead of time."""

    task: "asyncio.Task[Call]"
    is_sent: bool = False
    """Whether it has got a server's slot; before that it costs the model nothing."""


@dataclass(kw_only=True)
class AheadReplies:
    """The speculative calls of a run that are neither used nor discarded yet."""

    note: Callable[[CallKey, bool], None] = lambda key, is_used: None
    """Called with the key of each call that was sent to a model, and whether its reply was used."""
    _calls: dict[Asked, AheadCall] = field(default_factory=dict)

    async def ask(self, draft: Call, send: Callable[[], Coroutine[Any, Any, Call]]) -> Call:
        """Return the call with its reply; send it unless it was sent before."""
        known = self._calls.get(_asked(draft))
        if known is None:
            known = self._calls[_asked(draft)] = AheadCall(task=asyncio.create_task(send()))
            known.task.add_done_callback(_take_note)
        return await asyncio.shield(known.task)

    def mark_sent(self, draft: Call) -> None:
        """Note that a call got its slot and was sent."""
        if (known := self._calls.get(_asked(draft))) is not None:
            known.is_sent = True

    async def take(self, draft: Call) -> Call | None:
        """Return the call with its reply, if it was sent ahead; wait for a pending reply.

        None if it was never made, was lost, or still waits for a slot. The caller then sends it
        like any other call.
        """
        known = self._calls.pop(_asked(draft), None)
        if known is None:
            return None
        if not known.is_sent and not known.task.done():
            known.task.cancel()
            return None
        await wait_for_reply(known.task)
        if known.task.cancelled() or known.task.exception() is not None:
            return None
        self.note(draft.key, True)
        return known.task.result()

    def drop(self, owner: str, tick: int) -> None:
        """Discard an owner's speculative calls for thoughts and talks up to a tick."""
        for asked in [each for each in self._calls if _is_of(each, owner, tick)]:
            dropped = self._calls.pop(asked)
            dropped.task.cancel()
            if dropped.is_sent:
                self.note(asked[0], False)


def _asked(draft: Call) -> Asked:
    return draft.key, draft.messages_hash, draft.inputs


def _is_of(asked: Asked, owner: str, tick: int) -> bool:
    return asked[0].owner == owner and asked[0].tick <= tick


def _take_note(task: "asyncio.Task[Call]") -> None:
    """Retrieve a lost call's error, so that asyncio does not warn that it was never retrieved."""
    if not task.cancelled():
        task.exception()
