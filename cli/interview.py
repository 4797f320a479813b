"""`smolville interview`: ask people questions without any effect on the town."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.times import moment
from smolville.cli.options import EVERYBODY, AsJson, RunName, prompts_flag, runs_dir, settings_of
from smolville.cli.screen import console, say, write_json
from smolville.cli.templates import templates_of

if TYPE_CHECKING:
    from smolville.reports.interviewing import AnsweredQuestion

Who = Annotated[
    str, typer.Argument(metavar="AGENT|everybody", help="The person to ask, or everybody.")
]
Question = Annotated[
    str | None, typer.Argument(metavar="QUESTION", help="In quotes; asked for if left out.")
]
Asker = Annotated[str, typer.Option("--as", metavar="WHO", help="The name of the interviewer.")]
Model = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SPEC",
        help="Ask this model instead of the run's own; repeat it for its other servers.",
    ),
]

Guard = Annotated[
    bool,
    typer.Option(
        "--guard/--no-guard",
        help="Decline requests to speak as somebody else, and questions about self-harm and crime.",
    ),
]


def interview(
    context: typer.Context,
    run: RunName,
    who: Who,
    question: Question = None,
    asker: Asker = "an interviewer",
    model: Model = None,
    guard: Guard = True,
    as_json: AsJson = False,
) -> None:
    """Interview one person of a run, or everybody, without any effect on the town.

    Without a question, you are asked for questions until you enter an empty line. Uses the run's
    own templates, or those of --prompts DIR.
    """
    import asyncio

    from smolville.cli.run.prepare import models_of_run
    from smolville.cli.settings.key_hosts import key_hosts
    from smolville.reports.interviewing import Interviewer
    from smolville.reports.runs import opened_run

    chosen = settings_of(context, {"model": model or None, "prompts": prompts_flag(context)})
    with ExitStack() as open_until, opened_run(runs_dir(context), run) as opened:
        is_all = who.casefold() == EVERYBODY
        names = opened.reader.agents() if is_all else (opened.person(who),)
        templates = templates_of(chosen) if "prompts" in chosen.said else None
        patience = chosen.values.patience
        chats, _, means = models_of_run(
            chosen, opened.folder.spec, key_hosts(chosen), open_until, patience=patience
        )
        interviewer = Interviewer(
            opened.folder, opened.reader, opened.town, chats, means, templates, is_guarded=guard
        )
        if not as_json:
            when = opened.format_time(interviewer.at)
            say(f"{when} · {chats[1].spec} answers", "dim", on_stderr=True)

        async def ask() -> "list[AnsweredQuestion]":
            answers = []
            try:
                for text in _questions((question or "").strip()):
                    for name in names:
                        answers.append(await interviewer.ask(name, text, asker))
                        if not as_json:
                            _show(answers[-1])
            finally:
                for chat in {id(chat): chat for chat in chats}.values():
                    await chat.aclose()
            return answers

        answers = asyncio.run(ask())
    if as_json:
        write_json([{**asdict(one), "time": moment(one.at)} for one in answers])


def _questions(given: str) -> Iterator[str]:
    """Yield the given question; if there is none, those that the operator enters.

    An empty line ends them.
    """
    if given:
        yield given
        return
    while True:
        if sys.stdin.isatty():
            say("Your question (nothing to end):", "dim", on_stderr=True)
        line = sys.stdin.readline().strip()
        if not line:
            return
        yield line


def _show(answered: "AnsweredQuestion") -> None:
    from smolville.lab.styled import Text

    line = Text.assemble((f"{answered.agent}: ", "bold"), answered.answer)
    if answered.is_fallback:
        line.append("  (fallback)", "yellow")
    if answered.declined:
        line.append("  (declined by rule)", "dim")
    console().print(line)
