"""Continue a run up to its goal, and print what happened."""

import asyncio
import logging
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

import typer

from smolville.agents.errors import RunError, SmolvilleError
from smolville.agents.times import long_text, moment
from smolville.agents.wording import format_count, names_of, visible
from smolville.cli.guard import INTERRUPTED
from smolville.cli.options import command
from smolville.cli.run.prepare import StartedRun, begin, resume_run
from smolville.cli.run.progress import RunProgress
from smolville.cli.run.settings import RunOptions
from smolville.cli.run.summary import format_failures, print_summary
from smolville.cli.screen import is_at_terminal, print_problem, say
from smolville.cli.server import (
    ViewTarget,
    address_of,
    checked_token,
    listening,
    open_browser,
    own_command,
    with_token,
)
from smolville.cli.settings.choosing import ResolvedSettings
from smolville.cli.settings.key_hosts import keys_in, without_keys
from smolville.cli.view import TOKEN_VARIABLE
from smolville.history.folder import RunFolder, list_runs
from smolville.history.inbox import resume
from smolville.history.observers import RunObserver, RunObservers
from smolville.history.trouble import explain_storage_errors
from smolville.lab.duration import Estimate
from smolville.lab.langsmith_target import LangSmithTarget, is_asked_for, target_in
from smolville.lab.tracing.langsmith import Mode, TraceSender
from smolville.models.chat import Chat
from smolville.models.errors import ModelError
from smolville.world.simulation import Simulation, open_simulation
from smolville.world.town.town import town_of

LOG = logging.getLogger("smolville")
PATIENCE = 5.0
"""Seconds that the page has to end before it is killed."""
Say = Callable[[str], None]


@dataclass(frozen=True)
class Page:
    """The process that serves the page while a run is in progress."""

    address: str
    """The whole address, with the token that the page asks for."""
    process: "subprocess.Popen[bytes]" = field(repr=False)

    def serve_until_stopped(self) -> None:
        """Serve until Ctrl-C, or until the page ends by itself."""
        with suppress(KeyboardInterrupt):
            self.process.wait()

    def end(self) -> None:
        """Stop the page's process by closing its standard input; kill it if that takes too long."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


NO_KEY = "Nothing is sent to LangSmith: there is no LANGSMITH_API_KEY in the environment or .env."


@dataclass(frozen=True)
class Tracing:
    """The part of a run that is sent to LangSmith, and the project that it is sent to."""

    target: LangSmithTarget | None
    mode: Mode

    @contextmanager
    def of(self, folder: RunFolder) -> Iterator[tuple[RunObserver, ...]]:
        """Yield the observer that traces the run, if any; at the end, report what was sent."""
        if self.target is None:
            if self.mode != "off":
                _tell(NO_KEY)
            yield ()
            return
        sender = TraceSender(folder, self.target, self.mode)
        try:
            yield (sender,)
        finally:
            taken, why = sender.finish()
            if why:
                again = command(folder.path.parent, "trace", folder.name, "--langsmith")
                _tell(f"Not all traces arrived in LangSmith: {why}. Send them later with: {again}")
            elif taken:
                _tell(f"{format_count(taken, 'trace')} sent to LangSmith, {self.target.project}.")


def _tell(text: str) -> None:
    LOG.info("%s", text)
    say(text, "dim", on_stderr=True)


def tracing(chosen: ResolvedSettings) -> Tracing:
    """Return how a run is traced with these settings.

    Without the setting `trace`, LANGSMITH_TRACING decides; a missing key is then not mentioned.
    """
    mode, env = chosen.values.trace, chosen.surroundings
    target = target_in(env)
    if mode is None:
        mode = "thoughts" if target and is_asked_for(env) else "off"
    return Tracing(target if mode != "off" else None, mode)


def execute_run(runs: Path, order: RunOptions, chosen: ResolvedSettings) -> None:
    """Carry out `smolville run`; raise typer.Exit unless the run reaches its goal.

    A page is served beside it; at a terminal the page stays until Ctrl-C.
    """
    traced = tracing(chosen)
    with ExitStack() as open_until:
        how = resume_run if order.resume else begin
        try:
            begun = how(runs, order, chosen, open_until)
        except KeyboardInterrupt:
            # The run may have been created just when the command was interrupted.
            if not order.overwrite and order.name in list_runs(runs):
                _say_interrupted(runs, order.name)
            raise
        name, chats = begun.folder.name, begun.chats
        if chats is None:
            more = command(runs, "run", name, "--resume", "--for", "1d")
            say(f"{name} has reached its goal, {moment(begun.goal)}; to go on farther: {more}")
            return
        try:
            progress = progress_of(begun, order, chats)
            page = None
            if not (order.quiet or chosen.values.headless):
                beside = page_beside(runs, order.settings, name, progress.print)
                page = open_until.enter_context(beside)
            _run_prepared(runs, order, begun, chats, traced, progress, page)
            if page is not None and is_at_terminal():
                say(f"The town is at {page.address} ; Ctrl-C ends it.", on_stderr=True)
                page.serve_until_stopped()
        except KeyboardInterrupt:
            # Before the first tick, or while the end was reported: the run is complete either way.
            _say_interrupted(runs, name)


def _run_prepared(
    runs: Path,
    order: RunOptions,
    begun: StartedRun,
    chats: tuple[Chat, Chat],
    traced: Tracing,
    progress: RunProgress,
    page: Page | None,
) -> None:
    with write_log(begun.folder, keys_in(begun.means.env or {})):
        _say_what_begins(begun, order, chats, progress, page)
        ended = live_to_goal(begun, chats, order, progress, traced)
    print_summary(
        runs,
        begun.folder,
        progress.start_date,
        is_stopped=ended is not None,
    )
    if progress.failures:
        print_problem(format_failures(progress.failures, begun.folder))
    _say_how_it_ended(runs, begun, ended)
    if progress.failures and len(progress.failures) == progress.thoughts:
        raise typer.Exit(1)


def live_to_goal(
    begun: StartedRun,
    chats: tuple[Chat, Chat],
    order: RunOptions,
    progress: RunProgress,
    traced: Tracing,
) -> BaseException | None:
    """Simulate a prepared run; return the error that stopped it, None if it got to its goal."""
    resume(begun.folder)
    means = replace(begun.means, seconds_left=progress.seconds_left)
    with traced.of(begun.folder) as traces:
        try:
            watch = RunObservers((progress, *traces))
            with open_simulation(begun.folder, chats, watch, means) as simulation:
                for note in simulation.notes:
                    LOG.info("%s", note)
                    if not order.quiet:
                        say(note, "dim", on_stderr=True)
                with progress.show_bar(with_bar=not order.quiet):
                    asyncio.run(_simulate_to_goal(simulation, chats, begun.goal))
        except KeyboardInterrupt as error:
            LOG.info("interrupted")
            return error
        except (SmolvilleError, ModelError) as error:
            LOG.error("%s", error)
            return error
    return None


async def _simulate_to_goal(simulation: Simulation, chats: tuple[Chat, Chat], goal: int) -> None:
    try:
        await simulation.run(goal)
    finally:
        for chat in {id(chat): chat for chat in chats}.values():
            await chat.aclose()


def progress_of(begun: StartedRun, order: RunOptions, chats: tuple[Chat, Chat]) -> RunProgress:
    """Return the observer that shows the run's progress."""
    spec = begun.folder.spec
    return RunProgress(
        start_date=town_of(begun.folder).start_date,
        tick_seconds=spec.tick_seconds,
        estimate=Estimate(agents=len(spec.cast), goal=begun.goal, at=begun.at),
        is_verbose=order.verbose,
        is_quiet=order.quiet,
        is_real=not all(chat.wants_inputs for chat in chats),
    )


def _say_what_begins(
    begun: StartedRun,
    order: RunOptions,
    chats: tuple[Chat, Chat],
    progress: RunProgress,
    page: Page | None,
) -> None:
    spec = begun.folder.spec
    start = progress.start_date
    how = "new" if begun.is_new else f"goes on from {long_text(start, begun.at)}"
    calls = progress.estimate.calls_left()
    told = f"about {calls:,.0f} calls; how long they take is shown after the first few"
    rows = [
        ("run", f"{spec.name} ({how}, in {begun.folder.path})"),
        ("town", f"{spec.town_name} with {names_of(spec.cast)}"),
        *begun.notes,
        ("until", f"{long_text(start, begun.goal)} (day {moment(begun.goal)})"),
        ("time", told if progress.is_real else ""),
    ]
    for key, text in (row for row in rows if row[1]):
        LOG.info("%s: %s", key, text)
        if not order.quiet:
            say(f"{key:<7}{text}", on_stderr=True)
    if page is not None:
        # Not logged: the address holds a token, and a run's folder is passed on with its log.
        say(f"{'watch':<7}{page.address}", on_stderr=True)
        if order.browser:
            open_browser(page.address, begun.folder.path.parent)


def _say_how_it_ended(runs: Path, begun: StartedRun, ended: BaseException | None) -> None:
    """If a run stopped before its goal, print why and how to go on, and raise typer.Exit."""
    if ended is None:
        return
    name = begun.folder.name
    if isinstance(ended, KeyboardInterrupt):
        _say_interrupted(runs, name)
    go_on = command(runs, "run", name, "--resume")
    told = str(ended)
    if told.endswith("another --model"):
        print_problem(f"{told}: {command(runs, 'run', name, '--resume', '--model', 'SPEC')}")
    else:
        print_problem(told if "--resume" in told else f"{told.rstrip('.')}. Go on with: {go_on}")
    code = getattr(ended, "exit_code", 1)
    raise typer.Exit(code if isinstance(code, int) else 1)


def _say_interrupted(runs: Path, name: str) -> NoReturn:
    go_on = command(runs, "run", name, "--resume")
    print_problem(f"Interrupted; everything up to the last commit is saved. Go on with: {go_on}")
    raise typer.Exit(INTERRUPTED)


class _LogFile(logging.FileHandler):
    """A log file without keys and control characters, whose write errors never stop a run."""

    def __init__(self, path: Path, keys: Sequence[str]) -> None:
        super().__init__(path, encoding="utf-8")
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        self._keys = keys

    def format(self, record: logging.LogRecord) -> str:
        """Return a line, or several with a traceback."""
        return visible(without_keys(super().format(record), self._keys))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Drop the line."""

    def close(self) -> None:
        """Close the file; drop lines that a full disk did not take."""
        with suppress(OSError):
            super().close()


@contextmanager
def write_log(folder: RunFolder, keys: Sequence[str] = ()) -> Iterator[None]:
    """Write the program's log into the run's folder while the block runs."""
    with explain_storage_errors(folder.name):
        handler = _LogFile(folder.path / "run.log", keys)
    level = LOG.level
    LOG.setLevel(logging.INFO)
    LOG.addHandler(handler)
    try:
        yield
    finally:
        LOG.removeHandler(handler)
        LOG.setLevel(level)
        handler.close()


@contextmanager
def page_beside(runs: Path, settings: Path | None, name: str, say: Say) -> Iterator[Page | None]:
    """Serve a page while the block runs; yield None if it cannot be started.

    Its port listens at once, so early visitors wait until it is ready.
    """
    named = ("--settings", str(settings)) if settings is not None else ()
    page = None
    try:
        token = checked_token(os.environ.get(TOKEN_VARIABLE, ""))
        with listening() as listener:
            number = listener.fileno()
            words = ("view", "--runs", str(runs), *named, "--listener", str(number))
            process = subprocess.Popen(  # noqa: S603 - our own command, no shell
                [*own_command(), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(number,),
                # Other accounts can read a command line, but not an environment.
                env={**os.environ, TOKEN_VARIABLE: token},
                # Ctrl-C at the terminal is for the run; the page ends after the run.
                start_new_session=True,
            )
            address = with_token(address_of(listener) + ViewTarget(run=name).path(), token)
        page = Page(address, process)
    except (OSError, RunError) as error:
        say(f"There is no page to watch the run ({error}); later: {command(runs, 'view', name)}")
    try:
        yield page
    finally:
        if page is not None:
            page.end()
