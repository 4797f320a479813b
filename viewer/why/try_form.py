"""The form that asks a moment again with edited templates, and the answers side by side."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Thread

from nicegui import ui

from smolville.agents.wording import format_count, format_seconds, format_tokens
from smolville.history.observers import untraced
from smolville.lab.evaluation.answers import outline
from smolville.lab.evaluation.asking import ready, recorded_result
from smolville.lab.evaluation.evaluate import EvaluationSpec, evaluate, variants_of
from smolville.lab.evaluation.results import Evaluation, Result
from smolville.lab.moments.moment import Moment
from smolville.models.errors import TransportError
from smolville.prompts.prompt import TemplateSet
from smolville.viewer.config import AppConfig, AppModels
from smolville.viewer.elements import (
    TROUBLE,
    box,
    facts,
    make_folded_section,
    sentence,
    set_attributes,
    short,
    show_raw_text,
    sound,
    words,
)
from smolville.viewer.why.bench import MomentBench
from smolville.viewer.why.step_card import chips, draw_list, objected_to
from smolville.viewer.why.thought_view import UNREADABLE

EVERY = 0.25
"""Seconds between two updates of a trial's progress."""
SOON = 0.05
"""Seconds between two checks whether a trial is done."""


@dataclass(kw_only=True)
class PromptTrial:
    """Asks a moment again in a thread, so that the page stays usable."""

    config: AppConfig
    moment: Moment
    templates: TemplateSet
    name: str
    """Name of the templates, for display."""
    model: str
    """Another model's spec; empty for the run's own."""
    said: str = "Opening the model …"
    """A text on what the trial is doing or waiting for."""
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
        self.is_stopped, self.said = True, "Stopping …"
        if self._loop is not None and self._task is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)

    async def _evaluate_prompt(self, minds: AppModels) -> Evaluation:
        self._loop, self.said = asyncio.get_running_loop(), "Asking …"
        fast, strong = minds.chats
        is_strong = self.moment.attempts[0].call.tier == "strong"
        question = EvaluationSpec(
            variants=variants_of([(self.name, self.templates)], [strong if is_strong else fast]),
            moments=(ready(self.moment),),
            rules=minds.rules,
        )
        self._task = asyncio.create_task(evaluate(question, waiting=self._waiting))
        try:
            return await self._task
        finally:
            for chat in {each.spec: each for each in minds.chats}.values():
                await chat.aclose()

    def _waiting(self, error: TransportError, seconds: float) -> None:
        self.said = f"{sentence(error)} Asking again in {seconds:.0f} s."


class TryForm:
    """Asks a bench's moment again, one trial at a time; each answer is added to those before."""

    def __init__(self, config: AppConfig, bench: MomentBench) -> None:
        """Draw the form."""
        self._config = config
        self._bench = bench
        self._model = ""
        self._trial: PromptTrial | None = None
        self._tried = 0
        with box("section", "card", aria_label="Try"):
            words("h2", "Try")
            self._draw_form()
            self._status = words("p", "", "soft")
            set_attributes(self._status, role="status", aria_live="polite")
            self._results = box("div", "tried")
        ui.context.client.on_delete(self._stop)

    def _draw_form(self) -> None:
        with box("div", "try-form"):
            with box("label", "field"):
                words("span", "Model")
                own = f"the run's own, {self._bench.moment.attempts[0].call.model}"
                model = box("input", type="text", autocomplete="off", placeholder=own, size="30")
            model.on(
                "input",
                lambda event: setattr(self, "_model", str(event.args)),
                js_handler="(event) => emit(event.target.value)",
            )
            self._ask = words("button", "Try", "button is-main", type="button")
            self._ask.on("click", self._try)
            self._end = words("button", "Stop", "button", type="button", disabled=True)
            self._end.on("click", lambda _: self._stop())
        words(
            "p",
            "Another model is written as for --model: ollama:<name>, llamacpp:<url>, standin.",
            "soft",
        )

    async def _try(self) -> None:
        if self._trial is not None:
            return
        try:
            templates = await asyncio.to_thread(self._bench.template_set)
        except TROUBLE as error:
            self._say(f"Not asked: {error}", is_trouble=True)
            return
        trial = self._trial = PromptTrial(
            config=self._config,
            moment=self._bench.moment,
            templates=templates,
            name="edited" if self._bench.edits else "its own",
            model=self._model.strip()[:500],
        )
        self._turn(is_asking=True)
        watch = ui.timer(EVERY, lambda: self._say(trial.said))
        try:
            await trial.asked()
        finally:
            watch.cancel()
            self._trial = None
        if not self._results.is_deleted:
            self._turn(is_asking=False)
            self._show(trial)

    def _show(self, trial: PromptTrial) -> None:
        if trial.trouble or trial.evaluation is None:
            self._say(trial.trouble or "Stopped.", is_trouble=bool(trial.trouble))
            return
        self._say("")
        then = recorded_result(trial.moment)
        stored = list(outline(then.answer))
        (result,), (name,) = trial.evaluation.results, trial.evaluation.variants
        with self._results:
            if not self._tried:
                _draw("Stored", trial.moment.attempts[0].call.model, then, stored)
            self._tried += 1
            title = f"Try {self._tried}: {name.prompts}"
            _draw(title, name.model, result, stored, is_now=True)

    def _stop(self) -> None:
        if self._trial is not None:
            self._trial.stop()

    def _turn(self, *, is_asking: bool) -> None:
        set_attributes(self._ask, disabled=is_asking)
        set_attributes(self._end, disabled=not is_asking)

    def _say(self, text: str, *, is_trouble: bool = False) -> None:
        self._status.set_text(sound(text))
        self._status.classes(replace="trouble" if is_trouble else "soft")


def _draw(
    title: str,
    model: str,
    result: Result,
    stored: Sequence[str],
    *,
    is_now: bool = False,
) -> None:
    with box("section", "card answer-card", aria_label=title):
        with box("div", "why-when"):
            words("h3", title)
            chips(result.outcome or "unasked", is_odd=bool(result.odd))
        short("p", model, "soft")
        facts(
            {
                "Calls": format_count(result.attempts, "call"),
                "Prompt": format_tokens(result.prompt_tokens),
                "Reply": format_tokens(result.completion_tokens),
                "Took": format_seconds(result.milliseconds),
            }
        )
        _draw_answer(result, stored, is_now=is_now)
        draw_list(objected_to(result.odd_kinds), result.odd, "problems odd")
        draw_list("What was wrong with the first answer", result.problems, "problems")
        if result.reply:
            with make_folded_section("The first reply"):
                show_raw_text(result.reply, f"The first reply, {title}")


def _draw_answer(result: Result, stored: Sequence[str], *, is_now: bool) -> None:
    if result.outcome is None:
        words("p", "The prompt does not fit the model's context: nothing was asked.", "trouble")
        return
    lines = list(outline(result.answer))
    if is_now and lines == stored:
        words("p", "The stored answer, word for word.", "is-clean")
    if result.outcome == "fallback":
        words("p", "No model's answer: the step's declared fallback.", "trouble")
    with box("div", "answer"):
        for line in lines:
            is_new = is_now and line not in stored
            with box("div", "answer-line is-new" if is_new else "answer-line"):
                if is_new:
                    words("span", "new: ", "unseen")
                words("span", line)
