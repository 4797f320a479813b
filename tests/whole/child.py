"""A child process that lives a run until it kills itself, as `kill -9` would (see test_counts).

`python -m tests.whole.child RUNS NAME UNTIL WHERE COUNT`: WHERE is the name of a point
(`benchmarks/kills.py`), and it happens at the COUNT-th time.
"""

import os
import signal
import sys
from pathlib import Path

from benchmarks.kills import POINTS, watch_point, write_memories_often
from smolville.history.folder import RunFolder
from tests.whole.lives import live


def die_at(where: str, count: int) -> None:
    """Let this process end at a point, the count-th time: nothing is flushed, no handler runs."""
    left = count

    def reached() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    write_memories_often()
    watch_point(POINTS[where], reached)


if __name__ == "__main__":
    runs, name, until, where, count = sys.argv[1:]
    die_at(where, int(count))
    live(RunFolder.open(Path(runs), name), int(until))
