"""Kills the start of a run at each thing that it does on the disk (see test_started).

`python -m tests.whole.broken_starts RUNS TOWN`: prints a line of JSON for each death. Each start is
a fork of this process, so that nothing is loaded twice; Chroma is opened in forks only.
"""

import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import smolville.world.run_request as world_run_request
from smolville.graphs.catalogue import collect_templates
from smolville.history.digest import digest
from smolville.history.drafting import remove_run
from smolville.history.folder import RunFolder, list_runs
from smolville.history.reader import RunReader
from smolville.prompts.prompt import TemplateSet
from smolville.world.run_request import RunRequest, create_run
from tests.whole.lives import live, standin

GOAL = 600
MORE = 6
"""Deaths beyond the moment in which the folder shows; test_killed has those that come later."""
FILE_EVENTS = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.listdir")


def in_fork(act: Callable[[], object]) -> int:
    """Do something in a fork of this process; its exit code, negative for a signal."""
    process = os.fork()
    if process == 0:
        code = 1
        with suppress(Exception):
            act()
            code = 0
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def die_at(number: int, runs: Path) -> None:
    """End this process at the n-th file it touches in a folder, or SQL statement it runs."""
    left = number

    def one_more(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def hear(event: str, given: tuple[object, ...]) -> None:
        if event in FILE_EVENTS and str(given[0]).startswith(str(runs)):
            one_more()

    connect = sqlite3.connect

    def heard(*given: Any, **named: Any) -> sqlite3.Connection:
        one_more()
        connection = connect(*given, **named)
        connection.set_trace_callback(one_more)
        return connection

    sqlite3.connect = heard  # type: ignore[assignment]
    sys.addaudithook(hear)


def begin(runs: Path, town: Path) -> RunFolder:
    """Make the run."""
    chat = standin()
    return create_run(runs, "amber", RunRequest(town=town, cast=2), (chat, chat), goal=GOAL)


def start(runs: Path, town: Path) -> None:
    """Make the run and live it to its goal."""
    go_on(begin(runs, town))


def go_on(folder: RunFolder) -> None:
    """Live a run to the goal it knows."""
    with RunReader(folder) as reader:
        goal = reader.goal()
    assert goal is not None
    live(folder, goal.at)


def after_death(number: int, runs: Path, town: Path) -> dict[str, object]:
    """What a start leaves that was killed at its n-th event, and what becomes of it."""
    died = in_fork(lambda: (die_at(number, runs), start(runs, town))) == -signal.SIGKILL
    shown = [path.name for path in runs.iterdir() if not path.name.startswith(".")]
    found: dict[str, object] = {"died": died, "shown": shown, "listed": list_runs(runs)}
    if not shown:
        return found
    folder = RunFolder.open(runs, "amber")
    found["left"] = [path.name for path in runs.iterdir() if path.name.startswith(".")]
    found["code"] = in_fork(lambda: go_on(folder))
    with RunReader(folder) as reader:
        found["digest"] = digest(reader)
    remove_run(folder)
    return found


def compile_templates() -> None:
    """Compile the shipped templates once for all forks: it takes most of the time of a start."""
    ready = TemplateSet()
    collect_templates(ready, with_examples=True)
    world_run_request.TemplateSet = lambda _: ready  # type: ignore[assignment, misc]


def main(runs: Path, town: Path) -> None:
    """Kill starts in one folder, each one event later, until some way beyond the run's coming."""
    compile_templates()
    # What is computed once is computed here, and not in each of a hundred forks.
    begin(runs.parent / "first", town)
    runs.mkdir()
    shown = 0
    for number in count(1):
        found = after_death(number, runs, town)
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()
        shown += bool(found["shown"])
        if not found["died"] or shown > MORE:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
