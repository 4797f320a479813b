"""Run `smolville prompt eval`: ask, save the results, compare them and report."""

import asyncio
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import typer

from smolville.agents.errors import RunError, SettingError, SmolvilleError
from smolville.agents.wording import format_count
from smolville.cli.guard import INTERRUPTED
from smolville.cli.options import runs_dir
from smolville.cli.prompt.again import ModelOptions
from smolville.cli.screen import EveryMinute, console, print_problem, say, show_view, waiting_told
from smolville.cli.templates import step_named
from smolville.history.observers import untraced
from smolville.lab.duration import time_left
from smolville.lab.evaluation.asking import ready
from smolville.lab.evaluation.evaluate import evaluate
from smolville.lab.evaluation.labels import LabelledSet, labelled_set
from smolville.lab.evaluation.result_store import ResultStore, check_ours, done_in, kept_in
from smolville.lab.evaluation.results import Evaluation
from smolville.lab.evaluation.sense_tally import sense_tally
from smolville.lab.evaluation.spec import EvaluationSpec, template_sets, variants_of
from smolville.lab.evaluation.summary import Summary, misses, summarise
from smolville.lab.listening import HeardChat, PendingCalls
from smolville.lab.moments.finding import check_outcome, moments_from, select_moments
from smolville.lab.moments.moment import Moment
from smolville.models.errors import ModelError, TransportError
from smolville.models.pacing import Backoff
from smolville.prompts.folder import find_template_folder

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

A_SECOND = 8
"""Redraws of the bar per second."""


class EvalProgress:
    """Shows how many questions are answered, how many sensibly, and how long the rest takes."""

    def __init__(self, total: int, calls: PendingCalls) -> None:
        self.is_drawn = sys.stderr.isatty()
        self._total = total
        self._bar: Bar | None = None
        self._waited = 0.0
        self._calls = calls
        self._done, self._before = 0, 0
        self._began = 0.0

    def __enter__(self) -> "EvalProgress":
        """Draw the bar if there is a terminal."""
        if self.is_drawn:
            from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("Asking", markup=False),
                BarColumn(),
                TextColumn("{task.completed:,.0f} of {task.total:,.0f}", markup=False),
                TextColumn("{task.fields[share]}", style="dim", markup=False),
                TimeRemainingColumn(compact=True),
                console=console(on_stderr=True),
                refresh_per_second=A_SECOND,
                transient=True,
            )
            self._bar.add_task("", total=self._total, share="")
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()

    def done(self, done: int, total: int, objected: int) -> None:
        """Update the number of answered questions, and of those objected to among them."""
        if not self._began:
            self._began, self._before = time.monotonic(), done
        self._done = done
        if self._bar is not None:
            share = f"{objected} objected to" if done else ""
            self._bar.update(self._bar.task_ids[0], completed=done, share=share)

    def show_judged(self, done: int, total: int) -> None:
        """Update the number of judged pairs of answers."""
        self._done = done
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done)

    def line(self) -> str:
        """Return the number answered, the pending calls and their age, and the time left.

        Empty while a bar is shown, which has the same content.
        """
        if self._bar is not None:
            return ""
        new, left = self._done - self._before, self._total - self._before
        parts = (
            f"{self._done:,} of {self._total:,} answered",
            self._calls.describe(),
            time_left(new, left, time.monotonic() - self._began),
        )
        return " · ".join(part for part in parts if part)

    def waiting(self, error: TransportError, seconds: float) -> None:
        """Print that a server does not answer, once for all calls waiting at the same time."""
        now = time.monotonic()
        if now < self._waited:
            return
        self._waited = now + seconds
        text = waiting_told(error, seconds)
        shown = self._bar.console if self._bar is not None else console(on_stderr=True)
        shown.print(text, style="yellow", soft_wrap=True)


HIDDEN = ".evals"
"""Folder inside the runs folder, for results of evaluations without a report."""
SUFFIX = ".jsonl"
"""Suffix of the results file beside a report."""


@dataclass(frozen=True, kw_only=True)
class EvalOptions:
    """Command-line options of `smolville prompt eval`."""

    moments: str
    steps: tuple[str, ...]
    times: int
    limit: int | None
    outcome: str | None
    out: Path | None
    overwrite: bool
    resume: bool
    minimums: Mapping[str, float]
    as_json: bool

    def check(self) -> None:
        """Raise SettingError or RunError for invalid options, before anything is opened."""
        for step in self.steps:
            step_named(step)
        check_outcome(self.outcome)
        if self.resume and self.overwrite:
            raise SettingError("--resume goes on, --overwrite starts over: say one of them.")
        if self.out is not None:
            self._check_out(self.out)

    def _check_out(self, out: Path) -> None:
        if out.is_dir():
            raise RunError(f"{str(out)!r} is a folder; name a file.")
        if out.suffix == SUFFIX:
            raise SettingError(f"{str(out)!r}: a report is called .html; {SUFFIX} is beside it.")
        results = out.with_suffix(SUFFIX)
        check_ours(results)
        if self.overwrite or (self.resume and (results.exists() or not out.exists())):
            return
        if out.exists():
            raise RunError(f"{str(out)!r} exists; name another --out, or replace it: --overwrite.")
        if results.exists():
            raise RunError(
                f"{str(results)!r} exists, of an evaluation without its report: --resume goes on "
                "with it, --overwrite starts over."
            )


def run_evaluation(context: typer.Context, order: EvalOptions, how: ModelOptions) -> None:
    """Evaluate, show the results and write the report; raise typer.Exit unless all went well."""
    runs = runs_dir(context)
    moments = _moments(order, runs, how)
    sets, calls = template_sets(how.folders), PendingCalls()
    labelled = _read_label_sets(how, runs, moments)
    chats = [HeardChat.of(chat, calls) for chat in how.open_chats(moments[0].seed)]
    question = EvaluationSpec(
        variants=variants_of(sets, chats),
        moments=tuple(map(ready, moments)),
        turns=order.times,
        rules=how.rules,
        examples=how.examples,
        models=how.chosen.models(),
    )
    path = _results(order, runs, question)
    with kept_in(path, question, resume=order.resume, source=order.moments) as kept:
        evaluation = _ask_or_exit(question, kept, path, how, calls)
    tallies = [sense_tally(each, name, templates) for each in labelled for name, templates in sets]
    summary = summarise(evaluation, tallies)
    _show(order, evaluation, summary)
    missed = misses(summary, order.minimums)
    for sentence in missed:
        print_problem(sentence)
    if missed:
        raise typer.Exit(1)


def _moments(order: EvalOptions, runs: Path, how: ModelOptions) -> list[Moment]:
    """Return the moments to ask again."""
    found = moments_from(order.moments, runs, how.chosen.surroundings)
    return select_moments(found, steps=order.steps, outcome=order.outcome, limit=order.limit)


def _read_label_sets(how: ModelOptions, runs: Path, moments: list[Moment]) -> list[LabelledSet]:
    """Return the label sets in the template folders; raise RunError for an invalid line."""
    folders = [
        (folder, found)
        for folder in how.folders
        if (found := find_template_folder(folder)) is not None
    ]
    sets = [labelled_set(found, str(folder), runs, moments) for folder, found in folders]
    return [each for each in sets if each is not None]


def _results(order: EvalOptions, runs: Path, question: EvaluationSpec) -> Path:
    """Return the results file; RunError if it is unfinished and neither resumed nor overwritten."""
    if order.out is not None:
        return order.out.with_suffix(SUFFIX)
    path = runs / HIDDEN / f"{question.name}{SUFFIX}"
    done = 0 if order.resume or order.overwrite else done_in(path)
    if 0 < done < len(question.jobs):
        raise RunError(
            f"Of this very evaluation {done} of {len(question.jobs)} questions are answered "
            "already: --resume goes on with it, --overwrite starts over."
        )
    return path


def _ask_or_exit(
    question: EvaluationSpec, kept: ResultStore, path: Path, how: ModelOptions, calls: PendingCalls
) -> Evaluation:
    """Return the finished evaluation; if it is stopped early, print how to go on and exit."""
    total = len(question.jobs)
    progress = EvalProgress(total, calls)
    if not progress.is_drawn:
        amount = (
            f"{format_count(len(question.moments), 'moment')}, {format_count(total, 'question')}"
        )
        more = f"; {len(kept.results):,} are answered" if kept.results else ""
        say(f"Asking {amount}{more} …", "dim", on_stderr=True)
    try:
        with progress, EveryMinute(progress.line):
            return asyncio.run(untraced(_ask_everything(question, kept, progress, how)))
    except (KeyboardInterrupt, SmolvilleError, ModelError) as error:
        is_interrupt = isinstance(error, KeyboardInterrupt)
        reason = "Interrupted" if is_interrupt else str(error).rstrip(".")
        reason += "" if reason.endswith("?") else "."
        print_problem(
            f"{reason} {len(kept.results):,} of {total:,} answers are kept in {path}; the same "
            "words with --resume go on."
        )
        code = INTERRUPTED if is_interrupt else getattr(error, "exit_code", 1)
        raise typer.Exit(code if isinstance(code, int) else 1) from None


async def _ask_everything(
    question: EvaluationSpec, kept: ResultStore, progress: EvalProgress, how: ModelOptions
) -> Evaluation:
    """Ask everything and close the model clients, in the single event loop they use."""
    try:
        return await evaluate(
            question,
            kept,
            progress=progress.done,
            waiting=progress.waiting,
            backoff=Backoff(patience_seconds=how.chosen.values.patience),
        )
    finally:
        for chat in {each.chat.spec: each.chat for each in question.variants}.values():
            await chat.aclose()


def _show(order: EvalOptions, evaluation: Evaluation, summary: Summary) -> None:
    """Show the table, and write the report if one was requested."""
    from smolville.lab.evaluation.summary_view import SummaryView

    show_view(SummaryView(summary), as_json=order.as_json)
    if order.out is not None:
        _write(order.out, evaluation, summary)
        say(f"report  {order.out}", "dim", on_stderr=True)


def _write(out: Path, evaluation: Evaluation, summary: Summary) -> None:
    """Write the report, whole or not at all."""
    from datetime import date

    from smolville.lab.evaluation.page import report_page
    from smolville.lab.safe_files import written_whole

    page = report_page(evaluation, summary, date=date.today().isoformat())
    with written_whole(out) as draft:
        draft.write_text(page, encoding="utf-8")
