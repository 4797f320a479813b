"""`smolville prompt eval`: ask moments again, save the results, compare them and report."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from smolville.agents.errors import RunError, SettingError, SmolvilleError
from smolville.agents.wording import format_count
from smolville.cli.guard import INTERRUPTED
from smolville.cli.options import AsJson, runs_dir
from smolville.cli.prompt.again import ModelOptions, Models, ask_and_close, means
from smolville.cli.screen import print_problem, say, show_view
from smolville.cli.templates import step_named

if TYPE_CHECKING:
    from smolville.lab.evaluation.evaluate import EvaluationSpec
    from smolville.lab.evaluation.results import Evaluation, ResultStore
    from smolville.lab.listening import PendingCalls
    from smolville.models.chat import Chat

HIDDEN = ".evals"
"""Folder inside the runs folder, for results of evaluations without a report."""
SUFFIX = ".jsonl"
"""Suffix of the results file beside a report."""

Steps = Annotated[
    list[str] | None,
    typer.Argument(metavar="STEP", help="These steps only; see `smolville prompt list`."),
]
Moments = Annotated[
    str,
    typer.Option(
        "--moments", metavar="RUN|FILE", help="A run's name, a moments file, or langsmith:NAME."
    ),
]
Times = Annotated[
    int, typer.Option("-n", metavar="K", min=1, max=1000, help="How many times to ask each moment.")
]
Limit = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="Maximum number of moments, spread over steps and outcomes."
    ),
]
Outcome = Annotated[
    str | None,
    typer.Option(metavar="HOW", help="Only moments with this outcome: clean, repaired, ..."),
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write a report: one HTML file.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Start over and replace the report.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an interrupted evaluation.")]
MaxObjected = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Maximum share of answers objected to."),
]
MinClean = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Minimum share of clean first answers."),
]
MinFirst = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Minimum share of valid first answers."),
]
MinValid = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Minimum share valid after repairs."),
]
MaxFallback = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Maximum share of fallbacks, such as 0.02."),
]


def eval_prompts(
    context: typer.Context,
    moments: Moments,
    steps: Steps = None,
    model: Models = None,
    times: Times = 1,
    limit: Limit = None,
    outcome: Outcome = None,
    out: Out = None,
    overwrite: Overwrite = False,
    resume: Resume = False,
    max_objected: MaxObjected = None,
    min_clean: MinClean = None,
    min_first: MinFirst = None,
    min_valid: MinValid = None,
    max_fallback: MaxFallback = None,
    as_json: AsJson = False,
) -> None:
    """Ask stored moments again, with other templates or models.

    Each combination of --prompts DIR and --model is a variant. It is compared with the first folder
    on the same model. `shipped` names the shipped templates, which are the default. Results are
    saved line by line, so that --resume can continue an interrupted evaluation. Exits with 1 when a
    variant misses a minimum or maximum, and with 0 when all are met.
    """
    from smolville.lab.evaluation.asking import ready
    from smolville.lab.evaluation.evaluate import EvaluationSpec, template_sets, variants_of
    from smolville.lab.evaluation.results import kept_in
    from smolville.lab.evaluation.summary import misses, summarise
    from smolville.lab.evaluation.summary_view import SummaryView
    from smolville.lab.listening import HeardChat, PendingCalls
    from smolville.lab.moments.finding import check_outcome, moments_from, select_moments

    names = tuple(step_named(step).name for step in dict.fromkeys(steps or ()))
    check_outcome(outcome)
    target = _Target(out, overwrite=overwrite, resume=resume)
    target.check()
    how = means(context, model)
    runs = runs_dir(context)
    there = moments_from(moments, runs, how.chosen.surroundings)
    found = select_moments(there, steps=names, outcome=outcome, limit=limit)
    sets, calls = template_sets(how.folders), PendingCalls()
    chats: list[Chat] = [HeardChat.of(chat, calls) for chat in how.open_chats(found[0].seed)]
    question = EvaluationSpec(
        variants=variants_of(sets, chats),
        moments=tuple(map(ready, found)),
        turns=times,
        rules=how.rules,
        examples=how.examples,
        models=how.chosen.models(),
    )
    path = target.results(runs, question)
    with kept_in(path, question.asked, resume=resume, source=moments) as kept:
        evaluation = _ask_or_exit(question, kept, path, how, calls)
    summary = summarise(evaluation)
    show_view(SummaryView(summary), as_json=as_json)
    if out is not None:
        from datetime import date

        from smolville.lab.evaluation.page import report_page
        from smolville.lab.safe_files import written_whole

        with written_whole(out) as draft:
            page = report_page(evaluation, summary, date=date.today().isoformat())
            draft.write_text(page, encoding="utf-8")
        say(f"report  {out}", "dim", on_stderr=True)
    limits = {
        "objected": max_objected,
        "clean": min_clean,
        "first": min_first,
        "valid": min_valid,
        "fallback": max_fallback,
    }
    asked = {name: share for name, share in limits.items() if share is not None}
    missed = misses(summary, asked)
    for sentence in missed:
        print_problem(sentence)
    if missed:
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Target:
    """Where an evaluation is kept and reported."""

    out: Path | None
    overwrite: bool
    resume: bool

    def check(self) -> None:
        """Raise SettingError or RunError for invalid options, before anything is opened."""
        from smolville.lab.evaluation.results import KEPT
        from smolville.lab.safe_files import check_log

        if self.resume and self.overwrite:
            raise SettingError("--resume goes on, --overwrite starts over: say one of them.")
        if self.out is None:
            return
        if self.out.is_dir():
            raise RunError(f"{str(self.out)!r} is a folder; name a file.")
        if self.out.suffix == SUFFIX:
            raise SettingError(
                f"{str(self.out)!r}: a report is called .html; {SUFFIX} is beside it."
            )
        results = self.out.with_suffix(SUFFIX)
        check_log(results, KEPT)
        if self.overwrite or (self.resume and (results.exists() or not self.out.exists())):
            return
        if self.out.exists():
            raise RunError(
                f"{str(self.out)!r} exists; name another --out, or replace it: --overwrite."
            )
        if results.exists():
            raise RunError(
                f"{str(results)!r} exists, of an evaluation without its report: --resume goes on "
                "with it, --overwrite starts over."
            )

    def results(self, runs: Path, question: "EvaluationSpec") -> Path:
        """Return the results file; RunError if an unfinished one is there and nobody says how."""
        from smolville.lab.evaluation.results import done_in

        if self.out is not None:
            return self.out.with_suffix(SUFFIX)
        path = runs / HIDDEN / f"{question.name}{SUFFIX}"
        done = 0 if self.resume or self.overwrite else done_in(path)
        if 0 < done < len(question.jobs):
            raise RunError(
                f"Of this very evaluation {done} of {len(question.jobs)} questions are answered "
                "already: --resume goes on with it, --overwrite starts over."
            )
        return path


def _ask_or_exit(
    question: "EvaluationSpec",
    kept: "ResultStore",
    path: Path,
    how: ModelOptions,
    calls: "PendingCalls",
) -> "Evaluation":
    """Return the finished evaluation; if it is stopped early, print how to go on and exit."""
    from smolville.cli.prompt.progress import AskingProgress
    from smolville.history.observers import untraced
    from smolville.models.errors import ModelError

    total = len(question.jobs)
    progress = AskingProgress(total, calls)
    if not progress.is_drawn:
        amount = (
            f"{format_count(len(question.moments), 'moment')}, {format_count(total, 'question')}"
        )
        more = f"; {len(kept.results):,} are answered" if kept.results else ""
        say(f"Asking {amount}{more} …", "dim", on_stderr=True)
    try:
        with progress:
            return asyncio.run(untraced(ask_and_close(question, kept, how, progress)))
    except (KeyboardInterrupt, SmolvilleError, ModelError) as error:
        exit_with(
            error,
            f"{len(kept.results):,} of {total:,} answers are kept in {path}; the same words with "
            "--resume go on.",
        )


def exit_with(error: BaseException, kept: str) -> NoReturn:
    """Print why asking stopped and what is kept, and exit with the error's code."""
    is_interrupt = isinstance(error, KeyboardInterrupt)
    reason = "Interrupted" if is_interrupt else str(error).rstrip(".")
    print_problem(f"{reason}{'' if reason.endswith('?') else '.'} {kept}")
    code = INTERRUPTED if is_interrupt else getattr(error, "exit_code", 1)
    raise typer.Exit(code if isinstance(code, int) else 1) from None
