"""The form that asks a moment again, and the answers side by side."""

import asyncio
from collections.abc import Sequence

from nicegui import ui

from smolville.agents.wording import format_count
from smolville.lab.evaluation.answers import MOST_PROBLEMS, outline
from smolville.lab.evaluation.asking import as_it_was
from smolville.lab.evaluation.results import Evaluation, Result
from smolville.lab.evaluation.summary import format_seconds, format_tokens
from smolville.lab.moments.moment import Moment
from smolville.viewer.config import AppConfig
from smolville.viewer.controls import TROUBLE
from smolville.viewer.elements import (
    box,
    facts,
    make_folded_section,
    set_attributes,
    short,
    show_raw_text,
    sound,
    words,
)
from smolville.viewer.why.bench import MomentBench
from smolville.viewer.why.outcomes import chips, draw_odd
from smolville.viewer.why.trial import MOST_TIMES, PromptTrial

EVERY = 0.25
"""Seconds between two checks of a trial's progress."""
_VALUE = "(event) => emit(event.target.value)"


class TryForm:
    """Asks a bench's moment again, one trial at a time."""

    def __init__(self, config: AppConfig, bench: MomentBench) -> None:
        """Draw the form."""
        self._config = config
        self._bench = bench
        self._model = ""
        self._times = ""
        self._trial: PromptTrial | None = None
        with box("section", "card", aria_label="Try"):
            words("h2", "Try")
            self._draw_form()
            self._status = words("p", "", "soft")
            set_attributes(self._status, role="status", aria_live="polite")
            self._results = box("div")
        ui.context.client.on_delete(self._stop)

    def _draw_form(self) -> None:
        with box("div", "try-form"):
            self._own = self._field("Model", "text", "_model")
            own = self._bench.moment.attempts[0].call.model
            set_attributes(
                self._own, placeholder=f"the run's own, {own}", size="30", spellcheck="false"
            )
            times = self._field("Answers", "number", "_times")
            set_attributes(times, placeholder="1", min="1", max=str(MOST_TIMES), size="3")
            self._ask = words("button", "Try", "button is-main", type="button")
            self._ask.on("click", self._try)
            self._end = words("button", "Stop", "button", type="button", disabled=True)
            self._end.on("click", lambda _: self._stop())
        words(
            "p",
            "Another model is written as for --model: ollama:<name>, llamacpp:<url>, standin.",
            "soft",
        )

    def _field(self, name: str, kind: str, kept: str) -> ui.element:
        with box("label", "field"):
            words("span", name)
            made = box("input", type=kind, autocomplete="off")
        made.on("input", lambda event: setattr(self, kept, str(event.args)), js_handler=_VALUE)
        return made

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
            times=_count(self._times),
        )
        self._turn(is_asking=True)
        watch = ui.timer(EVERY, lambda: self._say(_progress(trial)))
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
        took = sum(each.milliseconds for each in trial.evaluation.results)
        told = format_count(len(trial.evaluation.results), "answer")
        self._say(f"{told}; the model took {format_seconds(took)}.")
        self._results.clear()
        with self._results:
            _draw_tried(trial.moment, trial.evaluation)

    def _stop(self) -> None:
        if self._trial is not None:
            self._trial.stop()

    def _turn(self, *, is_asking: bool) -> None:
        set_attributes(self._ask, disabled=is_asking)
        set_attributes(self._end, disabled=not is_asking)

    def _say(self, text: str, *, is_trouble: bool = False) -> None:
        self._status.set_text(sound(text))
        self._status.classes(replace="trouble" if is_trouble else "soft")


def _count(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) < 6
    return max(1, min(MOST_TIMES, int(text))) if is_number else 1


def _progress(trial: PromptTrial) -> str:
    if trial.is_stopped:
        return "Stopping …"
    if trial.said:
        return trial.said
    return f"Asking: {trial.done} of {format_count(trial.times, 'answer')} …"


def _draw_tried(moment: Moment, evaluation: Evaluation) -> None:
    """Draw the stored answer beside the new ones."""
    then = as_it_was(moment)
    stored = list(outline(then.answer))
    (name,) = evaluation.variants
    with box("div", "tried"):
        _draw("Stored", moment.attempts[0].call.model, then, stored)
        for result in evaluation.results:
            number = f" {result.turn + 1}" if evaluation.turns > 1 else ""
            _draw(f"Now{number}", name.model, result, stored, is_now=True)


def _draw(
    title: str, model: str, result: Result, stored: Sequence[str], *, is_now: bool = False
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
        draw_odd(result.odd_kinds, result.odd)
        _draw_problems(result)
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


def _draw_problems(result: Result) -> None:
    if not result.problems:
        return
    words("h4", "What was wrong with the first answer")
    with box("ul", "problems"):
        for problem in result.problems[:MOST_PROBLEMS]:
            short("li", problem, longest=2_000)
        if result.problems[MOST_PROBLEMS:]:
            words("li", f"and {len(result.problems) - MOST_PROBLEMS} more")
