"""`smolville prompt try`, and the model options of all commands that ask moments again."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

from smolville.agents.errors import SmolvilleError
from smolville.cli.guard import INTERRUPTED
from smolville.cli.options import AsJson, prompts_said, runs_dir, settings_of
from smolville.cli.screen import print_problem, say, show_view
from smolville.cli.templates import templates_folder

if TYPE_CHECKING:
    from smolville.cli.prompt.progress import AskingProgress
    from smolville.cli.settings.choosing import ResolvedSettings
    from smolville.graphs.loop.rules import Rules
    from smolville.lab.evaluation.evaluate import EvaluationSpec
    from smolville.lab.evaluation.results import Evaluation, ResultStore
    from smolville.lab.judging.judge import JudgeCalls
    from smolville.models.chat import Chat
    from smolville.models.pacing import Backoff

T = TypeVar("T")

Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="SPEC",
        help="A model; may be repeated: ollama:<name>, llamacpp:<url>, standin, ...",
    ),
]
Times = Annotated[
    int, typer.Option("-n", metavar="K", min=1, max=1000, help="How many times to ask each moment.")
]


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """The models to ask and how: settings and command-line options."""

    chosen: "ResolvedSettings"
    models: Sequence[str]
    """Model specs; empty for the model of the settings, or the one that this machine offers."""
    folders: tuple[Path, ...] = ()
    """Template folders as they were typed; empty if none was given or set."""

    @property
    def examples(self) -> int | None:
        """Number of example answers, if a flag says it; None: as many as the prompt showed."""
        said = self.chosen.values.examples
        return said if "examples" in self.chosen.said and isinstance(said, int) else None

    @property
    def rules(self) -> "Rules":
        """The rules by which a model is asked; the same for every question."""
        return self.chosen.rules(is_real=True)

    @property
    def backoff(self) -> "Backoff":
        """How long an unreachable server is asked again."""
        from smolville.models.pacing import Backoff

        return Backoff(patience_seconds=self.chosen.values.patience)

    def open_chats(self, seed: int) -> "list[Chat]":
        """Return a client for each model; `seed` is the run's seed, which the stand-in uses."""
        from smolville.cli.run.prepare import open_chats
        from smolville.models.keys import UserSpec

        values = self.chosen.values
        found: dict[str, Chat] = {}
        for spec in dict.fromkeys(self.models) or [values.fast]:
            (chat, _), (why,) = open_chats(
                spec and UserSpec(spec),
                spec and UserSpec(spec),
                seed,
                settings=self.chosen.models(),
                env=self.chosen.surroundings,
                patience=values.patience,
            )
            if spec is None:
                say(f"model  {why}", "dim", on_stderr=True)
            found.setdefault(chat.spec, chat)
        return list(found.values())


def means(context: typer.Context, models: Sequence[str] | None) -> ModelOptions:
    """Return the model options; raise SettingError or PromptFolderError for invalid ones."""
    chosen, folders = settings_of(context), prompts_said(context)
    if not folders and chosen.values.prompts is not None:
        templates_folder(chosen)
        folders = (chosen.values.prompts,)
    asked = {*(models or ())}
    if asked:
        # Several models are compared under the same rules, so no profile holds then.
        only = asked.pop() if len(asked) == 1 else None
        chosen = chosen.of_model(only)
    return ModelOptions(chosen=chosen, models=models or (), folders=folders)


def try_prompt(
    context: typer.Context,
    moment: Annotated[
        str,
        typer.Argument(
            metavar="MOMENT", help="A moment's id, RUN/3f9a1c2e; `smolville moments` lists them."
        ),
    ],
    model: Models = None,
    times: Times = 1,
    as_json: AsJson = False,
) -> None:
    """Ask a moment again, and show the answers side by side.

    Without --prompts, the moment's own templates are used; the first answer of its own model is
    then the same as the stored one. Every further answer is asked with another seed. With --set
    repairs=0 only first answers are shown.
    """
    from smolville.lab.evaluation.answers import AnswersView
    from smolville.lab.evaluation.asking import ready
    from smolville.lab.evaluation.evaluate import OWN, EvaluationSpec, variants_of
    from smolville.lab.moments.finding import find_moment
    from smolville.lab.prompting.sets import find_sets
    from smolville.prompts.prompt import TemplateSet

    found = find_moment(runs_dir(context), moment)
    how = means(context, model)
    if found.templates and not how.folders:
        named = [(OWN, TemplateSet(found.templates))]
    else:
        sets = find_sets(how.folders, runs_dir(context))
        named = [(each.name, each.checked) for each in sets]
    question = EvaluationSpec(
        variants=variants_of(named, how.open_chats(found.seed)),
        moments=(ready(found),),
        turns=times,
        rules=how.rules,
        examples=how.examples,
    )
    answers = ask_moments(question, None, how)
    show_view(AnswersView(answers, found), as_json=as_json)


def ask_moments(
    question: "EvaluationSpec",
    kept: "ResultStore | None",
    how: ModelOptions,
    progress: "AskingProgress | None" = None,
) -> "Evaluation":
    """Ask everything, and close the model clients."""
    from smolville.cli.screen import say_waiting
    from smolville.lab.evaluation.evaluate import evaluate

    work = evaluate(
        question,
        kept,
        progress=(lambda done, objected: None) if progress is None else progress.count,
        waiting=say_waiting if progress is None else progress.waiting,
        backoff=how.backoff,
    )
    return run_and_close(work, [each.chat for each in question.variants])


def run_and_close(work: Coroutine[Any, Any, T], chats: "Iterable[Chat]") -> T:
    """Return what comes of questions to models; close the clients in the event loop they used."""
    from smolville.history.observers import untraced

    async def closing() -> T:
        try:
            return await work
        finally:
            for chat in {id(chat): chat for chat in chats}.values():
                await chat.aclose()

    return asyncio.run(untraced(closing()))


def ask_model(
    ask: "Callable[[JudgeCalls], Coroutine[Any, Any, None]]",
    total: int,
    chat: "Chat",
    how: ModelOptions,
) -> None:
    """Let a model give verdicts; if it is stopped early, print how many are kept, and exit."""
    from smolville.cli.prompt.progress import AskingProgress
    from smolville.lab.judging.judge import JudgeCalls
    from smolville.models.errors import ModelError

    progress = AskingProgress(total)
    calls = JudgeCalls(
        chat=chat,
        rules=how.rules,
        progress=progress.count,
        waiting=progress.waiting,
        backoff=how.backoff,
    )

    try:
        with progress:
            run_and_close(ask(calls), [chat])
    except (KeyboardInterrupt, SmolvilleError, ModelError) as error:
        exit_with(error, f"{progress.done} of {total} verdicts are kept; the same words go on.")


def exit_with(error: BaseException, kept: str) -> NoReturn:
    """Print why asking stopped and what is kept, and exit with the error's code."""
    is_interrupt = isinstance(error, KeyboardInterrupt)
    reason = "Interrupted" if is_interrupt else str(error).rstrip(".")
    print_problem(f"{reason}{'' if reason.endswith('?') else '.'} {kept}")
    code = INTERRUPTED if is_interrupt else getattr(error, "exit_code", 1)
    raise typer.Exit(code if isinstance(code, int) else 1) from None
