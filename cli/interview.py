"""`smolville interview`: ask people questions without any effect on the town."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError
from smolville.agents.times import moment
from smolville.cli.options import AsJson, RunName, prompts_flag, runs_dir, settings_of
from smolville.cli.screen import console, say, write_json
from smolville.cli.templates import templates_of

if TYPE_CHECKING:
    from smolville.reports.interviewing import AnsweredQuestion

Who = Annotated[
    list[str] | None,
    typer.Argument(
        metavar='AGENT|--all ["QUESTION"]', help="The person to ask, or --all, and the question."
    ),
]
All = Annotated[bool, typer.Option("--all", help="Ask everybody.")]
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
    words: Who = None,
    everybody: All = False,
    asker: Asker = "an interviewer",
    model: Model = None,
    guard: Guard = True,
    as_json: AsJson = False,
) -> None:
    """Interview one person of a run, or everybody.

    The interview has no effect on the town. Without a question, you are asked for questions one
    after the other, until you enter an empty line. Uses the run's own templates, or those of
    --prompts DIR.
    """
    import asyncio

    from smolville.cli.run.prepare import models_of_run
    from smolville.cli.settings.key_hosts import key_hosts
    from smolville.reports.interviewing import Interviewer
    from smolville.reports.runs import opened_run

    agent, question = _read_words(list(words or []), everybody=everybody, as_json=as_json)
    chosen = settings_of(context, {"model": model or None, "prompts": prompts_flag(context)})
    with ExitStack() as open_until, opened_run(runs_dir(context), run) as opened:
        names = opened.reader.agents() if agent is None else (opened.person(agent),)
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
                for text in _questions(question):
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


def _read_words(words: list[str], *, everybody: bool, as_json: bool) -> tuple[str | None, str]:
    """Return the person and the question that the words after the run's name stand for.

    The person is None for everybody, the question empty if the operator is to be asked for it.
    Raises RunError if the person is missing, or if there are too many words.
    """
    room = 1 if everybody else 2
    if not everybody and not words:
        raise RunError("Name a person to ask, or use --all for everybody.")
    if len(words) > room:
        raise RunError(f"Put the question in quotes: {' '.join(words[room - 1 :])!r}.")
    question = words[room - 1] if len(words) == room else ""
    if as_json and not question.strip() and sys.stdin.isatty():
        raise RunError("With --json, give the question on the command line.")
    return None if everybody else words[0], question.strip()


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
    """Show one answer."""
    from smolville.lab.styled import Text

    line = Text.assemble((f"{answered.agent}: ", "bold"), answered.answer)
    if answered.is_fallback:
        line.append("  (fallback)", "yellow")
    if answered.declined:
        line.append("  (declined by rule)", "dim")
    console().print(line)
