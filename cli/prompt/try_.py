"""`smolville prompt try`: ask a moment again now, and show the answers side by side."""

from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import AsJson, runs_dir
from cli.prompt.chats import Examples, ModelOptions, Models, Patience, Repairs, means
from cli.prompt.named import MaybeStep, step_named

if TYPE_CHECKING:
    from lab.evaluation.results import Evaluation
    from lab.moments.moment import Moment

MomentId = Annotated[
    str,
    typer.Option(
        "--moment",
        metavar="ID",
        help="A moment's id, RUN/3f9a1c2e; `smolville moments` lists them.",
    ),
]
Times = Annotated[
    int, typer.Option("-n", metavar="K", min=1, max=1000, help="How many times to ask.")
]


def try_prompt(
    context: typer.Context,
    moment: MomentId,
    step: MaybeStep = None,
    model: Models = None,
    times: Times = 1,
    repairs: Repairs = None,
    examples: Examples = None,
    patience: Patience = None,
    as_json: AsJson = False,
) -> None:
    """Ask a moment again, and show the answers side by side.

    Without --prompts, the moment's own templates are used; the first answer of its own model is
    then the same as the stored one. Every further answer is asked with another seed.
    """
    from agents.errors import SettingError
    from cli.screen import present
    from lab.evaluation.answers import AnswersView
    from lab.moments.finding import find_moment

    wanted = step and step_named(step).name
    found = find_moment(runs_dir(context), moment)
    if wanted and found.step != wanted:
        raise SettingError(
            f"The moment {found.id} is of the step {found.step!r}, not of {wanted!r}."
        )
    how = means(context, models=model, repairs=repairs, examples=examples, patience=patience)
    present(AnswersView(_tried(found, how, times), found), as_json=as_json)


def _tried(moment: "Moment", how: ModelOptions, times: int) -> "Evaluation":
    """Ask the moment again, and return the answers."""
    import asyncio

    from cli.screen import say_waiting
    from history.observers import untraced
    from lab.evaluation.asking import ready
    from lab.evaluation.evaluate import evaluate
    from lab.evaluation.spec import EvaluationSpec
    from lab.evaluation.variant import template_sets, variants_of
    from models.pacing import Backoff

    sets = template_sets(how.folders, moment.templates or None)
    chats = how.opened(moment.seed)
    question = EvaluationSpec(
        variants=variants_of(sets, chats),
        moments=(ready(moment),),
        turns=times,
        rules=how.rules,
        examples=how.examples,
    )

    async def asked() -> "Evaluation":
        try:
            return await evaluate(
                question,
                waiting=say_waiting,
                backoff=Backoff(patience_seconds=how.chosen.values.patience),
            )
        finally:
            for chat in chats:
                await chat.aclose()

    return asyncio.run(untraced(asked()))
