"""Run `smolville prompt judge`: find the answers, have them judged, and show the verdicts."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from smolville.agents.errors import RunError, SettingError, SmolvilleError
from smolville.agents.wording import format_count
from smolville.cli.guard import INTERRUPTED
from smolville.cli.options import runs_dir
from smolville.cli.prompt.again import ModelOptions
from smolville.cli.prompt.evaluate import HIDDEN, SUFFIX, EvalProgress
from smolville.cli.screen import is_at_terminal, print_problem, show_view
from smolville.history.observers import untraced
from smolville.lab.evaluation.summary_view import format_interval, format_share
from smolville.lab.judging.asking import JudgeCalls
from smolville.lab.judging.pairs import Contest, contest_in
from smolville.lab.judging.tally import (
    JudgeAgreement,
    JudgeTally,
    count_verdicts,
    measure_agreements,
)
from smolville.lab.judging.verdicts import SUFFIX as JUDGED
from smolville.lab.judging.verdicts import Verdicts, verdicts_in, verdicts_path
from smolville.lab.listening import HeardChat, PendingCalls
from smolville.models.chat import Chat
from smolville.models.errors import ModelError
from smolville.models.pacing import Backoff

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """Command-line options of `smolville prompt judge`."""

    names: tuple[str, str]
    results: Path | None
    moments: str | None
    judge: str
    page: bool
    port: int
    as_json: bool


def run_judging(context: typer.Context, order: JudgeOptions, how: ModelOptions | None) -> None:
    """Have two variants judged, and show the verdicts."""
    if how is not None and order.page:
        raise SettingError("--model and --page are two ways to judge: say one of them.")
    runs = runs_dir(context)
    path = _results(order.results, runs)
    contest = contest_in(path, order.names, runs, source=order.moments)
    with verdicts_in(verdicts_path(path)) as verdicts:
        try:
            _judge(contest, verdicts, order, how)
        except KeyboardInterrupt:
            show_view(JudgedView(contest, verdicts), as_json=order.as_json)
            raise typer.Exit(INTERRUPTED) from None
        show_view(JudgedView(contest, verdicts), as_json=order.as_json)


def _judge(
    contest: Contest, verdicts: Verdicts, order: JudgeOptions, how: ModelOptions | None
) -> None:
    """Have the remaining pairs judged: by a model, on a page or at the terminal."""
    if how is not None:
        from smolville.lab.judging.judge import ask_judge

        for chat in how.open_chats(0):
            ask_model(
                partial(ask_judge, contest, verdicts),
                len(contest.pairs),
                lambda judge: len(verdicts.of(judge)),
                chat,
                how,
            )
    elif order.page:
        from smolville.cli.prompt.judge_by_hand import serve_page

        serve_page(contest, verdicts, order.judge, order.port)
    elif is_at_terminal() and not order.as_json:
        from smolville.cli.prompt.judge_by_hand import judge_at_terminal

        judge_at_terminal(contest, verdicts, order.judge)


def ask_model(
    ask: Callable[[JudgeCalls], Awaitable[None]],
    total: int,
    kept: Callable[[str], int],
    chat: Chat,
    how: ModelOptions,
) -> None:
    """Let a model give verdicts; if it is lost early, print how many are kept, and exit.

    `kept` returns the number of a judge's verdicts that are saved.
    """
    pending = PendingCalls()
    heard = HeardChat.of(chat, pending)
    progress = EvalProgress(total, pending)
    calls = JudgeCalls(
        chat=heard,
        rules=how.rules,
        progress=progress.show_judged,
        waiting=progress.waiting,
        backoff=Backoff(patience_seconds=how.chosen.values.patience),
    )

    async def ask_and_close() -> None:
        try:
            await ask(calls)
        finally:
            await heard.aclose()

    try:
        with progress:
            asyncio.run(untraced(ask_and_close()))
    except (SmolvilleError, ModelError) as error:
        print_problem(
            f"{str(error).rstrip('.')}. {kept(chat.spec)} of {total} verdicts are kept; the same "
            "words go on."
        )
        code = getattr(error, "exit_code", 1)
        raise typer.Exit(code if isinstance(code, int) else 1) from None


def _results(named: Path | None, runs: Path) -> Path:
    """Return the results file to judge.

    This is the file `named`, or else that of the latest evaluation which wrote no report.
    """
    if named is not None:
        path = named if named.suffix == SUFFIX else named.with_suffix(SUFFIX)
        if not path.is_file():
            raise RunError(f"There are no results {str(path)!r}; `prompt eval` writes them.")
        return path
    there = [each for each in (runs / HIDDEN).glob(f"*{SUFFIX}") if not _is_judged(each)]
    if not there:
        raise RunError(
            f"There is no evaluation without a report in {runs}: begin with `smolville prompt "
            "eval`, or name one with --results FILE."
        )
    return max(there, key=lambda each: (each.stat().st_mtime, each.name))


def _is_judged(path: Path) -> bool:
    return path.name.endswith(JUDGED)


@dataclass(frozen=True)
class JudgedView:
    """The verdicts on the answers of two variants."""

    contest: Contest
    verdicts: Verdicts

    @property
    def tallies(self) -> list[JudgeTally]:
        """The tally of each judge who has judged any of the pairs, in the order of the file."""
        keys = {pair.key for pair in self.contest.pairs}
        return [
            count_verdicts(self.contest, self.verdicts, judge)
            for judge, given in self.verdicts.by_judge.items()
            if keys & given.keys()
        ]

    @property
    def concords(self) -> list[JudgeAgreement]:
        """The agreement of every two judges in `tallies`."""
        return measure_agreements(
            self.contest, self.verdicts, [each.judge for each in self.tallies]
        )

    def plain(self) -> object:
        """Return the counts as plain data."""
        contest = self.contest
        return {
            "a": contest.labels[0],
            "b": contest.labels[1],
            "pairs": len(contest.pairs),
            "equal": contest.equal,
            "only_a": contest.only[0],
            "only_b": contest.only[1],
            "neither": contest.neither,
            "judges": [each.plain() for each in self.tallies],
            "agreement": [each.plain() for each in self.concords],
        }

    def render(self) -> "RenderableType":
        """Return the counts per judge with the conclusion, as printed."""
        from rich.console import Group

        from smolville.lab.styled import Text

        first, second = self.contest.labels
        tallies = self.tallies
        parts: list[RenderableType] = [Text(f"B: {second}, beside A: {first}", style="bold")]
        if not tallies:
            parts.append(Text("Nobody has judged any of their answers yet."))
        else:
            parts.append(_table(tallies))
            parts += [Text(_sentence(each, is_only=not tallies[1:])) for each in tallies]
        parts += [Text(each.sentence) for each in self.concords]
        return Group(*parts, Text(_format_left_out(self.contest), style="dim"))


def _table(tallies: Sequence[JudgeTally]) -> "Table":
    """Return a row per judge."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from smolville.lab.styled import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("judge", overflow="fold", min_width=10)
    for heading in ("B wins", "ties", "A wins", "B of the\ndecided", "both bad", "wavers", "left"):
        table.add_column(heading, justify="right")
    for each in tallies:
        share = Text.assemble(format_share(each.share), "\n", (format_interval(each.share), "dim"))
        counts = (str(number) for number in (each.wins, each.ties, each.losses))
        rest = (str(number) for number in (each.bad, each.wavering, each.left + each.silent))
        table.add_row(each.judge, *counts, share, *rest)
    return table


def _sentence(tally: JudgeTally, *, is_only: bool) -> str:
    """Return whether a judge found the second variant better, and how many pairs are left."""
    parts = [tally.sentence if is_only else f"{tally.judge}: {tally.sentence}"]
    if tally.wavering:
        parts.append(
            f"In {tally.wavering} of {format_count(tally.judged, 'pair')} the verdict changed with "
            "the order of the answers; those are ties."
        )
    if tally.silent:
        parts.append(f"Of {format_count(tally.silent, 'pair')} no verdict could be read.")
    if tally.left:
        parts.append(f"{tally.judged} of {format_count(tally.pairs, 'pair')} are judged so far.")
    return " ".join(parts)


def _format_left_out(contest: Contest) -> str:
    """Return a note on how many pairs there are to judge, and which answers were left out."""
    first, second = contest.only
    parts = [
        f"{format_count(len(contest.pairs), 'pair')} to judge",
        f"{contest.equal} answered alike by both" if contest.equal else "",
        f"{first} answered by A alone" if first else "",
        f"{second} answered by B alone" if second else "",
        f"{contest.neither} by neither" if contest.neither else "",
    ]
    return f"{'; '.join(filter(None, parts))}. Ties: same, both bad, and verdicts that waver."
