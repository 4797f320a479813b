"""Run `smolville prompt judge`: find the answers, have them judged, and count the verdicts."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import typer

from agents.errors import RunError, SettingError, SmolvilleError
from cli.guard import INTERRUPTED
from cli.options import runs_dir
from cli.prompt.chats import ModelOptions
from cli.prompt.evaluating import HIDDEN, SUFFIX
from cli.prompt.judged import JudgedView
from cli.prompt.progress import EvalProgress
from cli.screen import complain, is_at_terminal, present
from history.observers import untraced
from lab.judging.pairs import Contest, contest_in
from lab.judging.verdicts import SUFFIX as JUDGED
from lab.judging.verdicts import Verdicts, verdicts_in, verdicts_path
from lab.listening import HeardChat, PendingCalls
from models.chat import Chat
from models.errors import ModelError
from models.pacing import Backoff


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


def told(context: typer.Context, order: JudgeOptions, how: ModelOptions | None) -> None:
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
            present(JudgedView(contest, verdicts), as_json=order.as_json)
            raise typer.Exit(INTERRUPTED) from None
        present(JudgedView(contest, verdicts), as_json=order.as_json)


def _judge(
    contest: Contest, verdicts: Verdicts, order: JudgeOptions, how: ModelOptions | None
) -> None:
    """Have the remaining pairs judged: by a model, on a page or at the terminal."""
    if how is not None:
        for chat in how.opened(0):
            _by_model(contest, verdicts, chat, how)
    elif order.page:
        from cli.prompt.judging_page import serve_page

        serve_page(contest, verdicts, order.judge, order.port)
    elif is_at_terminal() and not order.as_json:
        from cli.prompt.judging_keys import judge_at_terminal

        judge_at_terminal(contest, verdicts, order.judge)


def _by_model(contest: Contest, verdicts: Verdicts, chat: Chat, how: ModelOptions) -> None:
    """Let a model judge; if it is stopped early, print how to go on and exit."""
    from lab.judging.asking import ask_judge

    calls = PendingCalls()
    heard = HeardChat.of(chat, calls)
    progress = EvalProgress(len(contest.pairs), calls)

    async def lived() -> None:
        try:
            await ask_judge(
                contest,
                verdicts,
                heard,
                rules=how.rules,
                progress=progress.judged,
                waiting=progress.waiting,
                backoff=Backoff(patience_seconds=how.chosen.values.patience),
            )
        finally:
            await heard.aclose()

    try:
        with progress:
            asyncio.run(untraced(lived()))
    except (SmolvilleError, ModelError) as error:
        done = len(verdicts.of(chat.spec))
        complain(
            f"{str(error).rstrip('.')}. {done} of {len(contest.pairs)} verdicts are kept; the same "
            "words go on."
        )
        code = getattr(error, "exit_code", 1)
        raise typer.Exit(code if isinstance(code, int) else 1) from None


def _results(named: Path | None, runs: Path) -> Path:
    """Return the results file: the named one, or that of the last evaluation without a report."""
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
