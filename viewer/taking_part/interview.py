"""Interviews in the app: a conversation as of one moment, which leaves no trace in the town.

The models, the readers of the run and an event loop have a thread of their own. Connections to
models can be used in one loop only, and the app stays responsive while somebody thinks.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TypeVar

from nicegui import ui

from smolville.agents.wording import join_words
from smolville.graphs.loop.ledger import AskEvent, OnAsk
from smolville.history.progress_file import format_try
from smolville.models.chat import Chat
from smolville.reports.interviewing import AnsweredQuestion, Interviewer
from smolville.reports.runs import name_model, opened_run
from smolville.viewer.config import AppConfig
from smolville.viewer.controls import TROUBLE, StatusLine, button, sentence, show_last
from smolville.viewer.taking_part.panel import CardContext

T = TypeVar("T")

_ROOMS: "set[InterviewRoom]" = set()
"""The open rooms."""
ASKER = "an interviewer"


class InterviewRoom:
    """An interview as of one moment: asks the people of a run, and remembers each conversation."""

    def __init__(self, config: AppConfig, run: str, at: int | None = None, model: str = "") -> None:
        """Store the settings; `at` is a town second (None: now), `model` a spec (empty: the run's).

        Nothing is opened before the first question.
        """
        self.when = ""
        """The moment as of which people answer, in words; set with the first question."""
        self.models = ""
        """Which models answer, in words."""
        self._config = config
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

        `say` is called in the app's own thread with a progress text: who is thinking, and at which
        attempt.
        """
        loop = asyncio.get_running_loop()

        def report_event(event: AskEvent) -> None:
            """Report an event to `say` in the app's thread."""
            parts = (f"{event.agent} is thinking", format_try(event.attempt))
            loop.call_soon_threadsafe(say, f"{', '.join(filter(None, parts))} …")

        return await self._there(lambda: self._ask(agent, question, asker, report_event))

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
            run = opening.enter_context(opened_run(self._config.runs, self._run))
            spec = run.folder.spec
            minds = opening.enter_context(self._config.minds(spec, self._model or None))
            runner = opening.enter_context(asyncio.Runner())
            for chat in {id(chat): chat for chat in minds.chats}.values():
                opening.callback(_close_chat, runner, chat)
            tick = None if self._at is None else self._at // spec.tick_seconds - 1
            self._interviewer = Interviewer(
                run.folder, run.reader, run.town, minds.chats, minds.means, tick=tick
            )
            self.when = run.format_time(self._interviewer.at)
            self.models = join_words(list(dict.fromkeys(map(_name_model, minds.chats))))
            self._runner = runner
            self._open = opening.pop_all()

    def _close(self) -> None:
        self._interviewer = None
        self._open.close()


def _name_model(chat: Chat) -> str:
    """Return a chat's model in words."""
    return name_model(chat.spec)


def _close_chat(runner: asyncio.Runner, chat: Chat) -> None:
    """Close a chat in its own event loop."""
    runner.run(chat.aclose())


async def close_rooms() -> None:
    """Close all open rooms; called when the app ends."""
    for room in list(_ROOMS):
        await room.close()


class InterviewChat:
    """A conversation with one person, drawn as a chat."""

    def __init__(self, scene: CardContext) -> None:
        self._scene = scene
        self._room: InterviewRoom | None = None
        self._is_asking = False
        with ui.element("div").classes("form"):
            ui.label("Nothing of an interview reaches the town, and nobody remembers it.").classes(
                "soft"
            )
            names = list(scene.names)
            self.who = ui.select(names, value=scene.whom, label="Whom do you ask?")
            self.asker = ui.input("Who asks?", value=ASKER)
            self.moment = ui.switch("As of the moment shown", value=scene.at is not None)
            self.moment.set_enabled(scene.at is not None)
            self.moment.on_value_change(self._forget)
            self.lines = ui.element("div").classes("chat").props('role="log" tabindex="0"')
            self.lines.props('aria-label="What was said"')
            self.question = ui.textarea("Your question").props("autogrow rows=2")
            self.question.on("keydown.enter.exact.prevent", self.ask)
            with ui.element("div").classes("row"):
                button("Ask", self.ask, is_main=True)
            self.told = StatusLine()

    async def ask(self) -> None:
        """Ask the question, and show the answer when it arrives."""
        question = (self.question.value or "").strip()
        if self._is_asking or not question:
            return
        self._is_asking = True
        who = str(self.who.value)
        self.question.set_value("")
        self._line(question, str(self.asker.value or ASKER), is_mine=True)
        self.told.say(f"{who} is thinking …")
        try:
            room = self._room = self._room or self._open_room()
            asker = str(self.asker.value or ASKER)
            answered = await room.ask(who, question, asker, self.told.say)
        except TROUBLE as error:
            self.told.complain(sentence(error))
        else:
            self._line(answered.answer, who, is_fallback=answered.is_fallback)
            self.told.say(f"As of {room.when}, answered by {room.models}.")
        finally:
            self._is_asking = False
            # The next question can be typed at once, wherever this one was sent from.
            self.question.run_method("focus")
            # Below the answer stand the field and the button: the card scrolls as a whole.
            place = f"document.getElementById({self.told.line.html_id!r})"
            ui.run_javascript(
                f"setTimeout(() => {place}?.scrollIntoView({{block: 'nearest'}}), 150)"
            )

    def _open_room(self) -> InterviewRoom:
        """Return the room in which to ask; it is closed together with the card."""
        scene = self._scene
        at = scene.at if self.moment.value else None
        room = InterviewRoom(scene.acts.config, scene.acts.run, at)
        scene.at_the_end(room.close)
        return room

    def _forget(self) -> None:
        """Start a new conversation, because another moment was chosen."""
        self._room = None
        self.lines.clear()

    def _line(
        self, text: str, who: str, *, is_mine: bool = False, is_fallback: bool = False
    ) -> None:
        """Show one line of the conversation."""
        with self.lines, ui.element("p").classes("chat-line" + (" is-mine" if is_mine else "")):
            ui.label(who + (" (no answer of the model: fallback)" if is_fallback else "")).classes(
                "chat-who"
            )
            ui.label(text)
        show_last(self.lines)


def draw_interview(scene: CardContext) -> None:
    """Draw the interview."""
    InterviewChat(scene)
