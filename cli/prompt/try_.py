"""`smolville prompt try`: a moment asked again now, the answers beside each other."""

from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import AsJson, runs_dir
from cli.prompt.chats import Examples, Means, Models, Patience, Repairs, means
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
Times = Annotated[int, typer.Option("-n", metavar="K", min=1, max=1000, help="Ask so often.")]


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
    """Ask a moment again, and show the answers beside each other.

    Without --prompts by the templates of the moment itself; then the first answer of the model of
    then is the one that is stored. Every further answer draws another seed.
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


def _tried(moment: "Moment", how: Means, times: int) -> "Evaluation":
    """Return the answers of now."""
    import asyncio

    from cli.screen import say_waiting
    from lab.evaluation.asking import ready
    from lab.evaluation.evaluate import evaluate
    from lab.evaluation.question import Question
    from lab.evaluation.variant import template_sets, variants_of
    from models.pacing import Backoff
    from world.watch import untraced

    sets = template_sets(how.folders, moment.templates or None)
    chats = how.opened(moment.seed)
    question = Question(
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
