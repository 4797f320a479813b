"""Visits to the small town: wishes put at their ticks, and persons who answer from a thread.

`python -m tests.whole.visits RUNS NAME UNTIL` lives a run, to be killed on its way.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox, OperatorRequest, VisitorTurn
from smolville.history.observers import RunObserver
from smolville.world import wishes
from smolville.world.run_resources import RunResources
from smolville.world.simulation import open_simulation
from tests.whole.lives import HOUR, standin

MORNING = 10 * HOUR + 600
ROSA, NILS = "Rosa Lind", "Nils Berg"
ADA, BEN, CORA = "Ada Brook", "Ben Hollis", "Cora Vance"
LINES = ("Good morning! I write for the paper.", "What is new in town?", "Goodbye!")

LATER = {3660: (wishes.deed(ROSA, "taking notes"),), 3661: (wishes.talk(ROSA, ADA),)}
"""By tick; Ada is back in her café at tick 3661, and others there would talk with Rosa soon."""

Person = Callable[[Inbox, VisitorTurn], object]


class Puts(RunObserver):
    """Puts wishes into the inbox once their tick is done, each once."""

    def __init__(self, folder: RunFolder, plan: Mapping[int, Sequence[OperatorRequest]]) -> None:
        self._folder = folder
        self._plan = dict(plan)

    def on_tick(self, tick: int) -> None:
        for due in [due for due in self._plan if due <= tick]:
            put(self._folder, *self._plan.pop(due))


def put(folder: RunFolder, *wanted: OperatorRequest) -> list[str]:
    """Leave wishes, and return their ids."""
    with Inbox(folder) as inbox:
        return [inbox.put(wish) for wish in wanted]


def talker(turn_lines: Sequence[str] = LINES) -> Person:
    """A person who says these lines, one a turn, and the last one again and again."""

    def says(inbox: Inbox, turn: VisitorTurn) -> None:
        inbox.say(turn.talk, turn.n, turn_lines[min(turn.n // 2, len(turn_lines) - 1)])

    return says


def reporter(inbox: Inbox, turn: VisitorTurn) -> None:
    """Rosa asks one thing and then leaves instead of answering; Nils talks to the end."""
    if turn.visitor == NILS:
        talker()(inbox, turn)
    elif turn.n < 2:
        inbox.say(turn.talk, turn.n, LINES[0])
    elif not inbox.wants("visitor_leaves", ROSA):
        inbox.put(wishes.leave(ROSA))


def begun(morning: RunFolder, name: str, at: int = MORNING) -> RunFolder:
    """A run of its own that shares the morning; a number keeps its name unique among them."""
    runs = morning.path.parent
    return fork(runs, morning.name, f"{name}-{len(list(runs.iterdir()))}", at // 10 - 1)


@contextmanager
def answering(folder: RunFolder, person: Person) -> Iterator[list[tuple[str, int]]]:
    """Let a person answer every turn while the block runs; the turns that were seen."""
    seen: list[tuple[str, int]] = []
    is_over = threading.Event()

    def answer() -> None:
        with Inbox(folder) as inbox:
            while not is_over.wait(0.02):
                for turn in inbox.turns():
                    if (turn.talk, turn.n) not in seen:
                        seen.append((turn.talk, turn.n))
                    person(inbox, turn)

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield seen
    finally:
        is_over.set()
        thread.join()


def live(
    folder: RunFolder,
    until: int,
    plan: Mapping[int, Sequence[OperatorRequest]] | None = None,
    patience: float = 120.0,
) -> None:
    """Live a run until a town second, with wishes at their ticks."""
    chat = standin(folder.spec.seed)

    async def going() -> None:
        try:
            await simulation.run(until)
        finally:
            await chat.aclose()

    means = RunResources(visitor_patience=patience)
    with open_simulation(folder, (chat, chat), Puts(folder, plan or {}), means) as simulation:
        asyncio.run(going())


if __name__ == "__main__":
    runs, name, end = sys.argv[1:]
    live(RunFolder.open(Path(runs), name), int(end), LATER)
