"""Interviews in the app: one conversation with one person, as of one moment.

Models, readers and an event loop run in a thread of their own: their connections belong to one
loop, and the app stays responsive while somebody thinks.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TypeVar

from graphs.streaming import AskEvent, OnAsk
from history.open_questions import try_told
from models.chat import Chat
from reports.interviewing import AnsweredQuestion, Interviewer
from reports.opening import opened_run
from viewer.house import AppRuns

T = TypeVar("T")

_ROOMS: "set[InterviewRoom]" = set()
"""The open rooms."""


class InterviewRoom:
    """Asks the people of a run as of one moment, and remembers what was said to each."""

    def __init__(self, house: AppRuns, run: str, at: int | None = None, model: str = "") -> None:
        """Store the settings; `at` is a town second (None: now), `model` a spec (empty: the run's).

        Nothing is opened before the first question.
        """
        self.when = ""
        """The moment as of which people answer, in words; set with the first question."""
        self.why: tuple[str, ...] = ()
        """Which models answer, one line each."""
        self._house = house
        self._run = run
        self._at = at
        self._model = model
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="interview")
        self._open = ExitStack()
        self._runner: asyncio.Runner | None = None
        self._interviewer: Interviewer | None = None
        _ROOMS.add(self)

    async def ask(
        self, agent: str, question: str, asker: str, say: Callable[[str], None] = lambda told: None
    ) -> AnsweredQuestion:
        """Return an agent's answer; raises the errors of the run or the model.

        `say` is called in the app's own thread with a text that somebody is thinking, and at which
        attempt.
        """
        loop = asyncio.get_running_loop()

        def heard(event: AskEvent) -> None:
            """Report an event to `say` in the app's thread."""
            parts = (f"{event.agent} is thinking", try_told(event.attempt))
            loop.call_soon_threadsafe(say, f"{', '.join(filter(None, parts))} …")

        return await self._there(lambda: self._ask(agent, question, asker, heard))

    async def close(self) -> None:
        """Close the models and readers; calling it again has no effect."""
        if self in _ROOMS:
            _ROOMS.remove(self)
            await self._there(self._close)
            self._thread.shutdown(wait=False)

    async def _there(self, job: Callable[[], T]) -> T:
        """Run a function in the room's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    def _ask(self, agent: str, question: str, asker: str, on_ask: OnAsk) -> AnsweredQuestion:
        if self._interviewer is None:
            self._enter()
        assert self._interviewer is not None
        assert self._runner is not None
        return self._runner.run(self._interviewer.ask(agent, question, asker, on_ask))

    def _enter(self) -> None:
        """Open the run and the models that answer."""
        with ExitStack() as opening:
            run = opening.enter_context(opened_run(self._house.runs, self._run))
            spec = run.folder.spec
            minds = opening.enter_context(self._house.minds(spec, self._model or None))
            runner = opening.enter_context(asyncio.Runner())
            for chat in {id(chat): chat for chat in minds.chats}.values():
                opening.callback(_closed, runner, chat)
            tick = None if self._at is None else self._at // spec.tick_seconds - 1
            self._interviewer = Interviewer(
                run.folder, run.reader, run.town, minds.chats, minds.means, tick=tick
            )
            self.when, self.why = run.when(self._interviewer.at), minds.why
            self._runner = runner
            self._open = opening.pop_all()

    def _close(self) -> None:
        self._interviewer = None
        self._open.close()


def _closed(runner: asyncio.Runner, chat: Chat) -> None:
    """Close a chat in its own event loop."""
    runner.run(chat.aclose())


async def close_rooms() -> None:
    """Close all open rooms; called when the app ends."""
    for room in list(_ROOMS):
        await room.close()
