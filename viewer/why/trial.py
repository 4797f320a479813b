"""Asks a moment again with edited templates, in a thread, so that the page stays usable."""

import asyncio
from dataclasses import dataclass, field
from threading import Thread

from smolville.history.observers import untraced
from smolville.lab.evaluation.asking import ready
from smolville.lab.evaluation.evaluate import EvaluationSpec, evaluate, variants_of
from smolville.lab.evaluation.results import Evaluation
from smolville.lab.moments.moment import Moment
from smolville.models.errors import TransportError
from smolville.prompts.prompt import TemplateSet
from smolville.viewer.config import AppConfig, AppModels
from smolville.viewer.controls import TROUBLE, sentence
from smolville.viewer.why.thought_view import UNREADABLE

MOST_TIMES = 20
"""Maximum number of answers requested from a page; larger evaluations use the command line."""
SOON = 0.05
"""Seconds between two checks whether a trial is done."""


@dataclass(kw_only=True)
class PromptTrial:
    """A trial: what is asked, the progress, and the result."""

    config: AppConfig
    moment: Moment
    templates: TemplateSet
    name: str
    """Name of the templates, for display."""
    model: str
    """Another model's spec; empty for the run's own."""
    times: int
    done: int = 0
    said: str = "Opening the model …"
    """A text on what the trial is waiting for."""
    trouble: str = ""
    is_stopped: bool = False
    evaluation: Evaluation | None = None
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)
    _task: "asyncio.Task[Evaluation] | None" = field(default=None, init=False)

    async def asked(self) -> None:
        """Run the trial in a thread of its own; the app can close without waiting for it."""
        thread = Thread(target=self.ask, daemon=True, name="trial")
        thread.start()
        while thread.is_alive():
            await asyncio.sleep(SOON)

    def ask(self) -> None:
        """Run the trial and store its result; blocks until it is done."""
        spec = self.config.folder(self.moment.run).spec
        try:
            with self.config.minds(spec, self.model or None) as minds:
                self.said = ""
                if not self.is_stopped:
                    self.evaluation = asyncio.run(untraced(self._evaluate_prompt(minds)))
        except asyncio.CancelledError:
            self.is_stopped = True
        except TROUBLE as error:
            self.trouble = sentence(error)
        except UNREADABLE as error:
            self.trouble = f"The moment cannot be asked again: {sentence(error)}"

    def stop(self) -> None:
        """Stop the trial and cancel pending calls."""
        self.is_stopped = True
        if self._loop is not None and self._task is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)

    async def _evaluate_prompt(self, minds: AppModels) -> Evaluation:
        self._loop = asyncio.get_running_loop()
        fast, strong = minds.chats
        is_strong = self.moment.attempts[0].call.tier == "strong"
        question = EvaluationSpec(
            variants=variants_of([(self.name, self.templates)], [strong if is_strong else fast]),
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

    def _progress(self, done: int, objected: int) -> None:
        self.done, self.said = done, ""

    def _waiting(self, error: TransportError, seconds: float) -> None:
        self.said = f"{sentence(error)} Asking again in {seconds:.0f} s."
