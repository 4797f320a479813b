"""`smolville doctor --measure`: days planned by the model in several ways, to compare them."""

import asyncio
import shutil
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from smolville.agents.errors import SmolvilleError
from smolville.agents.wording import format_count
from smolville.cli.guard import INTERRUPTED
from smolville.cli.prompt.evaluate import EvalProgress
from smolville.cli.screen import EveryMinute, print_problem, say
from smolville.cli.settings.choosing import ResolvedSettings
from smolville.history.observers import untraced
from smolville.lab.doctor.estimate import Pace, pace_of
from smolville.lab.doctor.examine import with_measured
from smolville.lab.doctor.findings import Findings
from smolville.lab.doctor.plans import PROMPT_TOKENS, REPLY_TOKENS, PlansAsked, variants_beside
from smolville.lab.doctor.profile import recommend_profile
from smolville.lab.duration import format_estimate
from smolville.lab.listening import HeardChat, PendingCalls
from smolville.models.cache import ReplyCache
from smolville.models.errors import ModelError
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.models.pacing import Backoff
from smolville.models.request import Constrain, ModelSettings

if TYPE_CHECKING:
    from smolville.prompts.prompt import TemplateSet

FOLDER = "measured"
"""Folder with the replies of unfinished measurements, in the user's application folder."""


def measure_plans(
    found: Findings,
    chosen: ResolvedSettings,
    templates: "TemplateSet | None",
) -> tuple[Findings, int]:
    """Return the findings with the model's measured plans, and the exit code.

    The exit code is 0 unless the measurement was interrupted.

    Replies are stored until all have arrived, so that the same command continues after an
    interruption.
    """
    profile = {each.name: each.value for each in recommend_profile(found)}
    asked = PlansAsked(variants_beside(int(profile.get("examples", 1))))
    constrain = cast(Constrain, profile.get("constrain", "auto"))
    settings = replace(chosen.of_models(None, None).models(), constrain=constrain)
    folder = _folder(found, settings)
    pace = pace_of(found.context, found.speed, found.model.slots)
    say(_format_time(asked, pace), on_stderr=True)
    calls = PendingCalls()
    progress = EvalProgress(asked.total, calls)

    async def ask_everything() -> None:
        spec, seed, env = found.model.spec, chosen.values.seed, chosen.surroundings
        chat, _ = open_chat(UserSpec(spec), settings=settings, seed=seed, env=env)
        cache = ReplyCache(folder, settings)
        try:
            await asked.ask(
                HeardChat.of(chat, calls),
                cache,
                templates=templates,
                progress=progress.done,
                waiting=progress.waiting,
                backoff=Backoff(patience_seconds=chosen.values.patience),
            )
        finally:
            cache.close()
            await chat.aclose()

    try:
        with progress, EveryMinute(progress.line):
            asyncio.run(untraced(ask_everything()))
    except (KeyboardInterrupt, SmolvilleError, ModelError) as error:
        said = "Interrupted" if isinstance(error, KeyboardInterrupt) else str(error).rstrip(".")
        print_problem(
            f"{said}. {len(asked.results)} of {asked.total} days are planned, and their replies "
            "are kept: the same command goes on."
        )
        code = INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
        return with_measured(found, asked.measured()), code
    shutil.rmtree(folder, ignore_errors=True)
    return with_measured(found, asked.measured()), 0


def _folder(found: Findings, settings: ModelSettings) -> Path:
    """Return the folder for this measurement's replies: one per model and way of asking."""
    model = found.model
    told = f"{model.spec}|{model.name}|{model.parameters}|{model.quantization}|{settings}"
    name = blake2b(told.encode(), digest_size=8).hexdigest()
    return Path(typer.get_app_dir("smolville")) / FOLDER / name


def _format_time(asked: PlansAsked, pace: Pace | None) -> str:
    """Return a sentence: what is measured, and about how long that takes."""
    questions = 2 * asked.total
    what = (
        f"Measuring: {format_count(len(asked.days), 'day')} planned in {len(asked.variants)} ways, "
        f"up to {questions} questions"
    )
    long = "how long they take is printed after the first few"
    if pace is not None:
        long = format_estimate(questions * pace.seconds(PROMPT_TOKENS, REPLY_TOKENS))
    return f"{what}; {long}. Ctrl-C ends it, and the same command goes on."
