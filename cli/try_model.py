"""`smolville try-model`: test a model on fixed moments of every step, with a table to paste."""

import time
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from smolville.cli.options import AsJson, prompts_flag, settings_of
from smolville.cli.templates import step_named

if TYPE_CHECKING:
    from smolville.graphs.loop.step import AnyStep
    from smolville.lab.listening import PendingCalls
    from smolville.lab.trial import TrialResult
    from smolville.lab.trial_report import TrialReport
    from smolville.models.chat import Chat

Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="The model to try: ollama:<name>, llamacpp:<url>, gguf:<file>, standin, ...",
    ),
]
Repairs = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Repairs before a step falls back; default 3."),
]
Constrained = Annotated[
    Literal["auto", "schema", "none"] | None,
    typer.Option("--constrain", help="Whether to constrain replies to a JSON schema."),
]
Examples = Annotated[
    int | None,
    typer.Option(metavar="K", min=0, help="Number of example answers shown with a question."),
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
    repairs: Repairs = None,
    constrain: Constrained = None,
    examples: Examples = None,
    steps: Steps = None,
    times: Times = 1,
    as_json: AsJson = False,
) -> None:
    """Ask a model a fixed set of moments of every step.

    The questions are those of a run. Counts how well it did, and prints a Markdown table that can
    be pasted into an issue. Fallbacks are part of the measurement; exits with 1 only when the model
    cannot be used. Other values, such as thinking and num_ctx, are taken from the settings.
    """
    import asyncio

    from smolville.cli.screen import EveryMinute, say, say_waiting, write, write_json
    from smolville.cli.templates import templates_of
    from smolville.history.observers import untraced
    from smolville.lab.doctor.examine import REFUSED_SECONDS
    from smolville.lab.doctor.servers import identify
    from smolville.lab.listening import HeardChat, PendingCalls
    from smolville.lab.trial_report import markdown
    from smolville.models.keys import UserSpec
    from smolville.models.open import open_chat
    from smolville.models.pacing import Backoff, ask_blocking

    which = _select_steps(steps)
    said = {
        "model": spec,
        "repairs": repairs,
        "constrain": constrain,
        "examples": examples,
        "prompts": prompts_flag(context),
    }
    chosen = settings_of(context, said)
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
    progress = _Progress(chat, calls)
    if how := chosen.describe_chosen():
        say(f"how    {how}", "dim", on_stderr=True)
    rules = chosen.rules(is_real=not chat.wants_inputs)

    async def try_and_report() -> "TrialReport":
        from smolville.lab.trial import try_model as trying
        from smolville.lab.trial_report import report

        try:
            trial = await trying(
                chat,
                rules=rules,
                turns=times,
                steps=which,
                templates=templates,
                progress=progress,
                waiting=say_waiting,
                backoff=Backoff(patience_seconds=chosen.values.patience),
            )
        finally:
            await chat.aclose()
        return report(trial, who)

    with EveryMinute(progress.format_waiting):
        results = asyncio.run(untraced(try_and_report()))
    if as_json:
        write_json(results.plain())
    else:
        write(markdown(results))
    if results.total.outcomes["unasked"] == results.total.moments:
        raise typer.Exit(1)


def _select_steps(names: str | None) -> "tuple[AnyStep, ...]":
    """Return the steps with these comma-separated names; None means all steps."""
    from smolville.graphs.catalogue import STEPS

    if names is None:
        return STEPS
    distinct = dict.fromkeys(name.strip() for name in names.split(",") if name.strip())
    return tuple(step_named(name) for name in distinct) or STEPS


class _Progress:
    """Reports on standard error how each moment ended, and which calls are pending."""

    def __init__(self, chat: "Chat", calls: "PendingCalls") -> None:
        from smolville.cli.screen import say

        self._calls = calls
        self._done, self._total = 0, 0
        self._began = time.monotonic()
        say(f"Trying {chat.spec} …", on_stderr=True)

    def __call__(self, tried: "TrialResult", done: int, total: int) -> None:
        """Print how a moment ended."""
        from smolville.cli.screen import say

        self._done, self._total = done, total
        moment = tried.moment
        outcome = tried.outcome or "does not fit the context"
        odd = f", odd ({', '.join(dict.fromkeys(tried.odd_kinds))})" if tried.odd else ""
        line = f"{done:>3}/{total} {moment.step:<18}{moment.case}  {outcome}{odd}"
        say(line, "yellow" if odd or tried.outcome in (None, "fallback") else "dim", on_stderr=True)

    def format_waiting(self) -> str:
        """Return a line: the number answered, the pending calls, and the time left."""
        from smolville.lab.duration import time_left

        left = time_left(self._done, self._total, time.monotonic() - self._began)
        counted = f"{self._done} of {self._total} answered" if self._total else "the first moments"
        return " · ".join(part for part in (counted, self._calls.describe(), left) if part)
