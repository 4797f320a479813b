"""What an operator can do to a run, each told in a sentence; wishes go into the run's inbox."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from agents.errors import RunError
from agents.wording import worded
from viewer.house import House
from world.records import Tile
from world.runs.cut import fork as fork_run
from world.runs.inbox import Inbox, Wish
from world.telling.opening import Open, opened_run
from world.telling.present import presences
from world.visiting import wishes


@dataclass(frozen=True)
class Left:
    """A wish that was left for the run's owner."""

    id: str
    told: str
    """What it does and from when on, as a sentence."""
    waits: bool
    """True while nobody lives the run: the wish holds when it goes on."""


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

    def whisper(self, agent: str, text: str) -> Left:
        """Speak to somebody as their inner voice."""
        with self.opened() as run:
            name = run.person(agent)
            wish = Wish(kind="whisper", target=name, text=worded(text, "a whisper"))
            return _left(run, wish, f"{name} hears it")

    def announce(self, text: str) -> Left:
        """Let everybody hear something."""
        with self.opened() as run:
            return _left(run, wishes.announcement(text), "Everybody hears it")

    def change(self, text: str, near: str = "") -> Left:
        """Set an object's state, told in plain words; `near` is a person or nobody."""
        with self.opened() as run:
            wish = wishes.object_state(text, town_map=run.town.map, near=_tile(run, near))
            return _left(run, wish, f"{wish.target} is {wish.text!r}")

    def enter(self, name: str, about: str, place: str, doing: str = "") -> Left:
        """Let a visitor walk in."""
        with self.opened() as run:
            wish = wishes.entrance(
                *(name, about, place), town=run.town, cast=run.reader.agents(), doing=doing
            )
            return _left(run, wish, f"{wish.target} walks in")

    def walk(self, name: str, place: str) -> Left:
        """Let a visitor walk somewhere else."""
        with self.opened() as run:
            wish = wishes.walk(name, place, town_map=run.town.map)
            return _left(run, wish, f"{name} walks to {wish.text}")

    def do(self, name: str, activity: str) -> Left:
        """Let a visitor do something that others see."""
        with self.opened() as run:
            return _left(run, wishes.deed(name, activity), f"{name} does so")

    def talk(self, name: str, agent: str) -> Left:
        """Let a visitor begin a talk with somebody in sight."""
        with self.opened() as run:
            wish = wishes.talk(name, run.person(agent))
            return _left(run, wish, f"{name} speaks to {wish.text}")

    def leave(self, name: str) -> Left:
        """Let a visitor leave the town."""
        with self.opened() as run:
            return _left(run, wishes.leave(name), f"{name} leaves")

    def call(self, name: str, about: str, agent: str) -> Left:
        """Let somebody from outside talk to an agent by telephone."""
        with self.opened() as run:
            wish = wishes.call(name, about, run.person(agent), town=run.town)
            return _left(run, wish, f"{wish.target} rings {run.person(agent)}")

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


def _left(run: Open, wish: Wish, effect: str) -> Left:
    """Leave a wish for the run's owner, and say what it does and from when on."""
    with Inbox(run.folder) as inbox:
        left = inbox.put(wish)
    return Left(left, f"{effect} {run.from_when()}.", run.state() != "running")


def _tile(run: Open, name: str) -> Tile | None:
    """Return where somebody stands."""
    if not name:
        return None
    people = presences(run.reader, run.town.map, run.tick)
    return next((each.tile for each in people if each.name == name), None)
