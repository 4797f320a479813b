"""`smolville try-model`: test a model on fixed moments of every step, with a table to paste."""

from typing import TYPE_CHECKING, Annotated

import typer

from smolville.cli.options import AsJson, prompts_flag, settings_of
from smolville.cli.templates import step_named

if TYPE_CHECKING:
    from smolville.lab.trial import TrialReport

Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="The model to try: ollama:<name>, llamacpp:<url>, gguf:<file>, standin, ...",
    ),
]
Steps = Annotated[
    str | None, typer.Option("--steps", metavar="A,B", help="Only these steps, by name.")
]
Times = Annotated[
    int, typer.Option("-n", metavar="K", min=1, help="How many times to ask each moment.")
]


def try_model(
    context: typer.Context,
    spec: Spec,
    steps: Steps = None,
    times: Times = 1,
    as_json: AsJson = False,
) -> None:
    """Ask a model a fixed set of moments of every step.

    The questions are those of a run. Counts how well it did, and prints a Markdown table that can
    be pasted into an issue. Fallbacks are part of the measurement; exits with 1 only when the model
    cannot be used. It is asked as the settings say; with --set repairs=0, first answers count.
    """
    import asyncio

    from smolville.cli.prompt.progress import AskingProgress
    from smolville.cli.screen import say, say_waiting, write, write_json
    from smolville.cli.templates import templates_of
    from smolville.graphs.catalogue import STEPS
    from smolville.history.observers import untraced
    from smolville.lab.doctor.examine import REFUSED_SECONDS
    from smolville.lab.doctor.servers import identify
    from smolville.lab.evaluation.results import Result, ResultStore
    from smolville.lab.evaluation.summary import UNASKED
    from smolville.lab.listening import HeardChat, PendingCalls
    from smolville.lab.trial import fixed_moments, markdown, report
    from smolville.lab.trial import try_model as trying
    from smolville.models.keys import UserSpec
    from smolville.models.open import open_chat
    from smolville.models.pacing import Backoff, ask_blocking

    names = dict.fromkeys(filter(None, map(str.strip, (steps or "").split(","))))
    which = tuple(map(step_named, names)) or STEPS
    chosen = settings_of(context, {"model": spec, "prompts": prompts_flag(context)})
    env, templates = chosen.surroundings, templates_of(chosen)
    chat, _ = ask_blocking(
        lambda: open_chat(
            UserSpec(spec), settings=chosen.models(), seed=chosen.values.seed, env=env
        ),
        patience_seconds=chosen.values.patience,
        refused_seconds=REFUSED_SECONDS,
        on_retry=say_waiting,
    )
    who, calls = identify(chat, env), PendingCalls()
    chat = HeardChat.of(chat, calls)
    rules = chosen.rules(is_real=not chat.wants_inputs)
    total = times * len(fixed_moments(which))
    say(f"Trying {chat.spec} …", on_stderr=True)
    if how := chosen.describe_chosen():
        say(f"how    {how}", "dim", on_stderr=True)

    class Told(ResultStore):
        """Prints how each moment ended."""

        def keep(self, result: Result, seconds: float) -> None:
            super().keep(result, seconds)
            outcome = result.outcome or "does not fit the context"
            odd = f", odd ({', '.join(dict.fromkeys(result.odd_kinds))})" if result.odd else ""
            line = f"{len(self.results):>3}/{total} {result.moment:<20}  {outcome}{odd}"
            say(line, "yellow" if result.is_objected_to else "dim", on_stderr=True)
            progress.count(len(self.results))

    async def try_and_report() -> "TrialReport":
        try:
            trial = await trying(
                chat,
                Told(),
                rules=rules,
                turns=times,
                steps=which,
                templates=templates,
                waiting=progress.waiting,
                backoff=Backoff(patience_seconds=chosen.values.patience),
            )
        finally:
            await chat.aclose()
        return report(trial, chat, rules, who, templates)

    with AskingProgress(total, calls, is_drawn=False) as progress:
        results = asyncio.run(untraced(try_and_report()))
    if as_json:
        write_json(results.plain())
    else:
        write(markdown(results))
    if results.total.ends[UNASKED] == results.total.asked:
        raise typer.Exit(1)
