"""A moment asked again with edited templates, in a thread of its own: the page goes on living."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread

from lab.evaluation.asking import ready
from lab.evaluation.evaluate import evaluate
from lab.evaluation.question import Question
from lab.evaluation.results import Evaluation
from lab.evaluation.variant import variants_of
from lab.moments.moment import Moment
from models.chat import Chat
from models.errors import TransportError
from prompts.prompt import TemplateSet
from viewer.controls import TROUBLE, sentence
from viewer.house import House, Minds
from viewer.why.seen import UNREADABLE
from world.watch import untraced

MOST_TIMES = 20
"""Answers that a page asks for at once; an evaluation of more belongs to the command line."""


@dataclass(kw_only=True)
class Trial:
    """One trial: what is asked, how far it is, and what came of it."""

    house: House
    moment: Moment
    templates: TemplateSet
    name: str
    """Of the templates, for people."""
    model: str
    """Another model's spec; empty for the run's own."""
    times: int
    done: int = 0
    said: str = "Opening the model …"
    """What is waited for."""
    trouble: str = ""
    is_stopped: bool = False
    evaluation: Evaluation | None = None
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)
    _task: "asyncio.Task[Evaluation] | None" = field(default=None, init=False)

    async def asked(self) -> None:
        """Ask in a thread of its own; the app can end without waiting for it."""
        loop = asyncio.get_running_loop()
        done = loop.create_future()

        def tell() -> None:
            if not done.done():
                done.set_result(None)

        def work() -> None:
            try:
                self.ask()
            finally:
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(tell)

        Thread(target=work, daemon=True, name="trial").start()
        await done

    def ask(self) -> None:
        """Ask, and keep what came of it; blocks until it is done."""
        spec = self.house.folder(self.moment.run).spec
        try:
            with self.house.minds(spec, self.model or None) as minds:
                self.said = ""
                if not self.is_stopped:
                    self.evaluation = asyncio.run(untraced(self._asked(minds)))
        except asyncio.CancelledError:
            self.is_stopped = True
        except TROUBLE as error:
            self.trouble = sentence(error)
        except UNREADABLE as error:
            self.trouble = f"The moment cannot be asked again: {sentence(error)}"

    def stop(self) -> None:
        """Ask no more; what is under way is given up."""
        self.is_stopped = True
        if self._loop is not None and self._task is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)

    async def _asked(self, minds: Minds) -> Evaluation:
        self._loop = asyncio.get_running_loop()
        question = Question(
            variants=variants_of([(self.name, self.templates)], [self._chat(minds)]),
            moments=(ready(self.moment),),
            turns=self.times,
            rules=minds.rules,
        )
        self._task = asyncio.create_task(
            evaluate(question, progress=self._progress, waiting=self._waiting)
        )
        try:
            return await self._task
        finally:
            for chat in {each.spec: each for each in minds.chats}.values():
                await chat.aclose()

    def _chat(self, minds: Minds) -> Chat:
        """Return who answers: of the run's own models the one of the tier that was asked then."""
        fast, strong = minds.chats
        return strong if self.moment.attempts[0].call.tier == "strong" else fast

    def _progress(self, done: int, total: int, sensible: int) -> None:
        self.done, self.said = done, ""

    def _waiting(self, error: TransportError, seconds: float) -> None:
        self.said = f"{sentence(error)} Asking again in {seconds:.0f} s."
