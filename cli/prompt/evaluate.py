"""`smolville prompt eval`: ask moments again, save the results and compare them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import SmolvilleError
from smolville.agents.wording import format_count, percent
from smolville.cli.options import AsJson, runs_dir
from smolville.cli.prompt.again import ModelOptions, Models, Times, ask_moments, exit_with, means
from smolville.cli.prompt.scores import Reader, Scores, Scoring
from smolville.cli.screen import print_problem, say, show_view
from smolville.cli.templates import step_named

if TYPE_CHECKING:
    from smolville.lab.evaluation.evaluate import EvaluationSpec
    from smolville.lab.evaluation.results import Evaluation, ResultStore
    from smolville.lab.evaluation.summary import Summary

Steps = Annotated[
    list[str] | None,
    typer.Argument(metavar="STEP", help="These steps only; see `smolville prompt show`."),
]
Moments = Annotated[
    list[str],
    typer.Option(
        "--moments",
        metavar="RUN|FILE",
        help="A run, a moments file or a folder with cases.jsonl, or langsmith:NAME; may be "
        "repeated.",
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="Maximum number of moments, of all steps, outcomes and people."
    ),
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="Keep the results in this file.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Start over: ask everything again.")]
Junit = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write JUnit XML for CI: a test case for each moment and variant."
    ),
]
MaxObjected = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, help="Maximum share of answers objected to."),
]


def eval_prompts(
    context: typer.Context,
    moments: Moments,
    steps: Steps = None,
    model: Models = None,
    times: Times = 1,
    limit: Limit = None,
    out: Out = None,
    overwrite: Overwrite = False,
    score: Scores = None,
    reader: Reader = None,
    max_objected: MaxObjected = None,
    junit: Junit = None,
    as_json: AsJson = False,
) -> None:
    """Ask stored moments again, with other templates or models.

    Each combination of --prompts DIR and --model is a variant. It is compared with the first folder
    on the same model. `shipped` names the shipped templates, which are the default. A function for
    --score takes an answer and the inputs as plain data, and returns True, False or 0 to 1; scores
    stand beside those of the answers as they were and of dice. Every result is kept, so the same
    command goes on with an interrupted evaluation. Exits with 1 when answers are missing, or more
    of a variant's answers are objected to than --max-objected allows.
    """
    from smolville.lab.evaluation.asking import ready
    from smolville.lab.evaluation.differences import EvaluationView
    from smolville.lab.evaluation.evaluate import EvaluationSpec, variants_of
    from smolville.lab.evaluation.junit import write_junit
    from smolville.lab.evaluation.results import HIDDEN, MOMENTS, SETS, SOURCE, SUFFIX, kept_in
    from smolville.lab.evaluation.summary import summarise
    from smolville.lab.moments.finding import LANGSMITH, moments_of_all, select_moments
    from smolville.lab.prompting.sets import find_sets

    names = tuple(step_named(step).name for step in dict.fromkeys(steps or ()))
    how, runs = means(context, model), runs_dir(context)
    there = moments_of_all(moments, runs, how.chosen.surroundings)
    found = select_moments(there, steps=names, limit=limit)
    sets = find_sets(how.folders, runs)
    named = [(each.name, each.checked) for each in sets]
    question = EvaluationSpec(
        variants=variants_of(named, how.open_chats(found[0].seed)),
        moments=tuple(map(ready, found)),
        turns=times,
        rules=how.rules,
        examples=how.examples,
        models=how.chosen.models(),
    )
    path = out or runs / HIDDEN / f"{question.name}{SUFFIX}"
    told = {SOURCE: moments, MOMENTS: question.questions, SETS: [each.plain() for each in sets]}
    scoring = Scoring(context, score or (), reader, found)
    with kept_in(path, question.asked, told, overwrite=overwrite) as kept:
        evaluation = _ask_or_exit(question, kept, path, how)
        scores = scoring.scores(evaluation.results, runs)
        kept.keep_scores({each.name: each.values for each in scores})
    if junit is not None:
        write_junit(junit, evaluation)
    summary = summarise(evaluation, scores)
    show_view(EvaluationView(evaluation=evaluation, summary=summary), as_json=as_json)
    for source in moments:
        if source.startswith(LANGSMITH):
            from smolville.lab.evaluation.experiments import post_experiments

            name, ended = source.removeprefix(LANGSMITH), path.stat().st_mtime
            env = how.chosen.surroundings
            for each in post_experiments(name, question, evaluation, ended, env):
                say(f"In LangSmith as the experiment {each}", "dim", on_stderr=True)
    if max_objected is not None:
        _exit_if_objected(summary, max_objected)


def _exit_if_objected(summary: "Summary", most: float) -> None:
    """Exit with 1 if more than this share of a variant's answers are objected to."""
    shares = {each.name.label: each.total.shares["objected"] for each in summary.variants}
    missed = {name: each for name, each in shares.items() if each.count > most * each.of}
    for name, each in missed.items():
        print_problem(
            f"{name}: {each.count} of {each.of} answers were objected to "
            f"({percent(each.count, each.of)}); at most {100 * most:g} % are allowed."
        )
    if missed:
        raise typer.Exit(1)


def _ask_or_exit(
    question: "EvaluationSpec", kept: "ResultStore", path: Path, how: ModelOptions
) -> "Evaluation":
    """Return the finished evaluation; if it is stopped early, print how to go on and exit."""
    from smolville.cli.prompt.progress import AskingProgress
    from smolville.models.errors import ModelError

    total = len(question.jobs)
    progress = AskingProgress(total)
    if not progress.is_drawn:
        moments = format_count(len(question.moments), "moment")
        more = f"; {len(kept.results):,} are answered" if kept.results else ""
        say(f"Asking {moments}, {format_count(total, 'question')}{more} …", "dim", on_stderr=True)
    try:
        with progress:
            return ask_moments(question, kept, how, progress)
    except (KeyboardInterrupt, SmolvilleError, ModelError) as error:
        done = f"{len(kept.results):,} of {total:,} answers are kept in {path}"
        exit_with(error, f"{done}; the same words go on.")
