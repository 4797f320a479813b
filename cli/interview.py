"""`smolville interview`: ask people questions without any effect on the town."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError
from smolville.agents.times import moment
from smolville.cli.options import AsJson, RunName, prompts_flag, runs_dir, settings_of
from smolville.cli.screen import console, say, write_json
from smolville.cli.templates import templates_of

if TYPE_CHECKING:
    from smolville.cli.settings.choosing import ResolvedSettings
    from smolville.models.chat import Chat
    from smolville.reports.interviewing import AnsweredQuestion, Interviewer
    from smolville.reports.runs import OpenRun

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
    request = _read_words(list(words or []), everybody=everybody)
    chosen = settings_of(context, {"model": model or None, "prompts": prompts_flag(context)})
    interviewing = InterviewSession(
        runs_dir(context), run, request, asker, chosen, is_guarded=guard
    )
    interviewing.ask_and_show(as_json=as_json)


@dataclass(frozen=True)
class InterviewRequest:
    """The people to ask (None: everybody), and the question (empty: the operator is prompted)."""

    agent: str | None
    question: str


def _read_words(words: list[str], *, everybody: bool) -> InterviewRequest:
    """Return the person and the question that the words after the run's name stand for.

    Raises RunError if the person is missing, or if there are too many words.
    """
    room = 1 if everybody else 2
    if not everybody and not words:
        raise RunError("Name a person to ask, or use --all for everybody.")
    if len(words) > room:
        raise RunError(f"Put the question in quotes: {' '.join(words[room - 1 :])!r}.")
    agent = None if everybody else words[0]
    question = words[room - 1] if len(words) == room else ""
    return InterviewRequest(agent, question.strip())


@dataclass
class InterviewSession:
    """One interview of one run."""

    runs: Path
    run: str
    wanted: InterviewRequest
    asker: str
    chosen: "ResolvedSettings"
    is_guarded: bool = True
    answers: "list[AnsweredQuestion]" = field(default_factory=list)

    def ask_and_show(self, *, as_json: bool) -> None:
        """Ask, and show the answers."""
        import asyncio

        from smolville.cli.run.prepare import models_of_run
        from smolville.cli.settings.key_hosts import key_hosts
        from smolville.reports.interviewing import Interviewer
        from smolville.reports.runs import opened_run

        with ExitStack() as open_until, opened_run(self.runs, self.run) as opened:
            spec = opened.folder.spec
            names = self._names(opened)
            self._check_question(as_json=as_json)
            templates = templates_of(self.chosen) if "prompts" in self.chosen.said else None
            may_send, patience = key_hosts(self.chosen), self.chosen.values.patience
            chats, _, means = models_of_run(
                self.chosen, spec, may_send, open_until, patience=patience
            )
            interviewer = Interviewer(
                opened.folder,
                opened.reader,
                opened.town,
                chats,
                means,
                templates,
                is_guarded=self.is_guarded,
            )
            if not as_json:
                say(
                    f"{opened.format_time(interviewer.at)} · {chats[1].spec} answers",
                    "dim",
                    on_stderr=True,
                )
            asyncio.run(self._ask(interviewer, names, chats, as_json=as_json))
        if as_json:
            write_json([{**asdict(one), "time": moment(one.at)} for one in self.answers])

    def _names(self, opened: "OpenRun") -> tuple[str, ...]:
        if self.wanted.agent is None:
            return opened.reader.agents()
        return (opened.person(self.wanted.agent),)

    def _check_question(self, *, as_json: bool) -> None:
        if not self.wanted.question and as_json and sys.stdin.isatty():
            raise RunError("With --json, give the question on the command line.")

    async def _ask(
        self,
        interviewer: "Interviewer",
        names: tuple[str, ...],
        chats: "tuple[Chat, Chat]",
        *,
        as_json: bool,
    ) -> None:
        """Ask everybody every question, in the single event loop that the model clients use."""
        try:
            for question in self._questions():
                for name in names:
                    one = await interviewer.ask(name, question, self.asker)
                    self.answers.append(one)
                    if not as_json:
                        _show(one)
        finally:
            for chat in {id(chat): chat for chat in chats}.values():
                await chat.aclose()

    def _questions(self) -> Iterator[str]:
        """Yield the given question; if there is none, the questions that the operator enters.

        An empty line ends them.
        """
        if self.wanted.question:
            yield self.wanted.question
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
