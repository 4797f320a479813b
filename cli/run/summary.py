"""The summary at the end of a run: what it holds, how its steps ended, and what to do next."""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from smolville.agents.routines import Routines
from smolville.agents.times import long_text, moment
from smolville.agents.wording import format_count
from smolville.cli.options import command
from smolville.cli.screen import say, write
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.records import ThoughtRow
from smolville.reports.health import (
    RunTally,
    count_run,
    format_answers,
    format_calls,
    format_oddities,
    health,
)
from smolville.reports.stretches import format_reuses
from smolville.world.routine_library import count_routines, learnt


def print_summary(
    runs: Path,
    folder: RunFolder,
    start_date: date,
    *,
    is_quiet: bool,
    is_stopped: bool = False,
) -> None:
    """Print what a run holds so far, and what to do next.

    If the run was stopped, that is two lines, so that how to go on, which the caller prints, is
    not lost among counts.
    """
    with RunReader(folder) as reader, reader.snapshot():
        done = reader.watermark()
        goal = reader.goal()
        numbers = count_run(reader)
        found, known = health(reader), learnt(folder)
        paid = found.total
    at = 0 if done is None else (done + 1) * folder.spec.tick_seconds
    more = ("--for", "1d") if goal is not None and at >= goal.at else ()
    say(f"{folder.name}: lived up to {long_text(start_date, at)}", "bold")
    say(format_totals(numbers), "dim")
    if is_stopped:
        return
    told_of_reuse = _format_routines(found.reused, known)
    for told in (format_answers(paid), format_oddities(paid), told_of_reuse):
        if told:
            say(told, "dim")
    if numbers.total.steps and not is_quiet:
        say(format_calls(paid), "dim")
    if done is not None:
        _print_next(runs, folder, more)


def _format_routines(reused: Mapping[str, int], known: Mapping[str, Routines]) -> str:
    """Return how often routines were reused, and how many are known now; empty for none."""
    people = [each for each in known.values() if each.tasks or each.spots]
    if not people:
        return ""
    return f"{format_reuses(reused)} Known now: {count_routines(people)}.".strip()


def format_failures(failures: Sequence[ThoughtRow], folder: RunFolder) -> str:
    """Return a sentence: how many thoughts failed, and whose thought failed last, and why."""
    last = max(failures, key=lambda row: row.tick)
    why = last.failed.rstrip(".")
    return (
        f"{format_count(len(failures), 'thought')} failed, the last of {last.agent} at "
        f"{moment(last.at)}: {why}; see run.log in {folder.path}."
    )


def format_totals(numbers: RunTally) -> str:
    """Return a sentence with the numbers of actions, talks, memories and thoughts."""
    failed = f" ({numbers.failed} failed)" if numbers.failed else ""
    return (
        f"{format_count(numbers.actions, 'action')}, {format_count(numbers.talks, 'talk')} of "
        f"{format_count(numbers.lines, 'line')}, "
        f"{format_count(numbers.memories, 'memory', 'memories')}, "
        f"{format_count(numbers.thoughts, 'thought')}{failed}."
    )


def _choose_agent_name(folder: RunFolder) -> str:
    """Return a name for the first agent of the cast: the first name if it is unique."""
    firsts = [name.split()[0] for name in folder.spec.cast]
    return firsts[0] if firsts.count(firsts[0]) == 1 else folder.spec.cast[0]


def format_seconds(seconds: float) -> str:
    """Return the time that calls took: `8.4 s`, `12 min`, `2.5 h`."""
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _print_next(runs: Path, folder: RunFolder, more: tuple[str, ...]) -> None:
    """Print what to do next; `more` holds the options with which to continue the run."""
    rows = [
        ("watch it", command(runs, "view", folder.name)),
        ("read the day", command(runs, "timeline", folder.name)),
        ("how it answered", command(runs, "health", folder.name)),
        ("look at somebody", command(runs, "show", folder.name, _choose_agent_name(folder))),
        ("go on", command(runs, "run", folder.name, "--resume", *more)),
    ]
    for what, words in rows:
        # Never cut to the terminal's width: these lines are meant to be copied.
        write(f"{what:<18}{words}")
