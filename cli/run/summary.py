"""The summary at the end of a run: what it holds, how its steps ended, and what to do next."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from smolville.agents.times import long_text, moment
from smolville.agents.wording import format_count
from smolville.cli.options import command
from smolville.cli.screen import say, write
from smolville.history.counts import Counts
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.records import ThoughtRow
from smolville.reports.health import RunTally, count_run
from smolville.world.routine_library import count_routines, learnt


def print_summary(
    runs: Path, folder: RunFolder, start_date: date, *, is_stopped: bool = False
) -> None:
    """Print what a run holds so far, and what to do next.

    If the run was stopped, that is two lines, so that how to go on, which the caller prints, is
    not lost among counts.
    """
    with RunReader(folder) as reader, reader.snapshot():
        done = reader.watermark()
        goal = reader.goal()
        numbers, known = count_run(reader), learnt(folder)
    at = 0 if done is None else (done + 1) * folder.spec.tick_seconds
    more = ("--for", "1d") if goal is not None and at >= goal.at else ()
    say(f"{folder.name}: lived up to {long_text(start_date, at)}", "bold")
    say(format_totals(numbers), "dim")
    if is_stopped:
        return
    if numbers.total.steps:
        say(_format_answers(numbers.total), "dim")
    if people := [each for each in known.values() if each.tasks or each.spots]:
        learned = count_routines(people)
        say(f"Routines learnt, to be done again without asking the model: {learned}.", "dim")
    if done is not None:
        _print_next(runs, folder, more)


def _format_answers(total: Counts) -> str:
    repaired = total.outcomes.get("repaired", 0) + total.outcomes.get("escalated", 0)
    fallbacks = total.outcomes.get("fallback", 0)
    odd = f" {format_count(total.odd, 'answer')} looked odd to a check." if total.odd else ""
    return (
        f"{format_count(total.steps, 'question')} to the model: "
        f"{total.steps - repaired - fallbacks:,} answered at once, {repaired:,} repaired (the "
        f"model was told what was wrong), {fallbacks:,} fallbacks (a ready-made answer).{odd}"
    )


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
