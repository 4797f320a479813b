"""What an operator can do to a run, each told in a sentence; wishes go into the run's inbox."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from agents.errors import RunError
from agents.wording import worded
from viewer.house import House
from world.runs.cut import fork as fork_run
from world.runs.inbox import Inbox, Wish
from world.telling.opening import Open, opened_run


@dataclass(frozen=True)
class Acts:
    """Everything that can be done to one run without opening a model."""

    house: House
    run: str

    @contextmanager
    def opened(self) -> Iterator[Open]:
        """Open the run for reading while the block runs."""
        with opened_run(self.house.runs, self.run) as run:
            yield run

    def whisper(self, agent: str, text: str) -> str:
        """Speak to somebody as their inner voice."""
        with self.opened() as run:
            name = run.person(agent)
            self._wish(run, Wish(kind="whisper", target=name, text=worded(text, "a whisper")))
            return f"{name} hears it {run.from_when()}."

    def fork(self, at: int, name: str) -> str:
        """Begin another run that shares this one's past up to town second `at`."""
        with self.opened() as run:
            if run.done is None:
                raise RunError(f"The run {self.run!r} has not lived yet; there is nothing to fork.")
            seconds = run.folder.spec.tick_seconds
            tick = max(0, min(run.tick, at // seconds - 1))
            when = run.when((tick + 1) * seconds)
        made = fork_run(self.house.runs, self.run, name.strip(), tick)
        return f"{made.name} shares the past of {self.run} up to {when}."

    def _wish(self, run: Open, wish: Wish) -> None:
        """Leave a wish for the run's owner."""
        with Inbox(run.folder) as inbox:
            inbox.put(wish)
