"""Interviews in the app: a conversation as of one moment, which leaves no trace in the town.

The models, the readers of the run and an event loop have a thread of their own. Connections to
models can be used in one loop only, and the app stays responsive while somebody thinks.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from nicegui import ui

from smolville.agents.wording import join_words
from smolville.models.chat import Chat
from smolville.reports.interviewing import AnsweredQuestion, Interviewer
from smolville.reports.runs import name_model, opened_run
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import NO_ANSWER, StatusLine, add_chat_line, button, chat_lines
from smolville.viewer.taking_part.card import CardContext

_ROOMS: "set[InterviewRoom]" = set()
"""The open rooms."""
ASKER = "an interviewer"


class InterviewRoom:
    """An interview as of one moment: asks the people of a run, and remembers each conversation."""

    def __init__(self, config: AppConfig, run: str, at: int | None = None) -> None:
        """Store the settings; `at` is a town second (None: now).

        Nothing is opened before the first question.
        """
        self.told = ""
        """The moment as of which people answer, and which models answer, in words."""
        self._config = config
        self._run = run
        self._at = at
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="interview")
        self._open = ExitStack()
        self._entered: tuple[asyncio.Runner, Interviewer] | None = None
        _ROOMS.add(self)

    async def ask(self, agent: str, question: str) -> AnsweredQuestion:
        """Return an agent's answer; raises the errors of the run or the model."""

        def answer() -> AnsweredQuestion:
            runner, interviewer = self._entered = self._entered or self._enter()
            return runner.run(interviewer.ask(agent, question, ASKER))

        return await asyncio.get_running_loop().run_in_executor(self._thread, answer)

    async def close(self) -> None:
        """Close the models and readers; calling it again has no effect."""
        if self in _ROOMS:
            _ROOMS.remove(self)
            self._entered = None
            await asyncio.get_running_loop().run_in_executor(self._thread, self._open.close)
            self._thread.shutdown(wait=False)

    def _enter(self) -> tuple[asyncio.Runner, Interviewer]:
        with ExitStack() as opening:
            run = opening.enter_context(opened_run(self._config.runs, self._run))
            spec = run.folder.spec
            minds = opening.enter_context(self._config.minds(spec, None))
            runner = opening.enter_context(asyncio.Runner())
            for chat in {id(chat): chat for chat in minds.chats}.values():
                opening.callback(_close, runner, chat)
            tick = None if self._at is None else self._at // spec.tick_seconds - 1
            interviewer = Interviewer(
                run.folder, run.reader, run.town, minds.chats, minds.means, tick=tick
            )
            names = join_words(list(dict.fromkeys(name_model(chat.spec) for chat in minds.chats)))
            self.told = f"As of {run.format_time(interviewer.at)}, answered by {names}."
            self._open = opening.pop_all()
        return runner, interviewer


def _close(runner: asyncio.Runner, chat: Chat) -> None:
    # A chat is closed in its own event loop.
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
        ui.label("Nothing of an interview reaches the town, and nobody remembers it.").classes(
            "soft"
        )
        self.who = ui.select(list(scene.names), value=scene.whom, label="Whom do you ask?")
        self.moment = ui.switch("As of the moment shown", value=scene.at is not None)
        self.moment.set_enabled(scene.at is not None)
        self.moment.on_value_change(self._forget)
        self.lines = chat_lines()
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
        add_chat_line(self.lines, ASKER, question, is_mine=True)
        self.told.say(f"{who} is thinking …")
        with self.told.watching():
            room = self._room = self._room or self._open_room()
            answered = await room.ask(who, question)
            add_chat_line(self.lines, who + NO_ANSWER * answered.is_fallback, answered.answer)
            self.told.say(room.told)
        self._is_asking = False
        # The next question can be typed at once, wherever this one was sent from.
        self.question.run_method("focus")
        # Below the answer stand the field and the button: the card scrolls as a whole.
        self.told.show()

    def _open_room(self) -> InterviewRoom:
        scene = self._scene
        at = scene.at if self.moment.value else None
        room = InterviewRoom(scene.acts.config, scene.acts.run, at)
        scene.endings.append(room.close)
        return room

    def _forget(self) -> None:
        self._room = None
        self.lines.clear()
