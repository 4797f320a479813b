"""An operator's actions on a run; most of them put a request into the run's inbox."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from agents.errors import RunError
from agents.wording import check_text
from history.cut import fork as fork_run
from history.inbox import Inbox, OperatorRequest, RequestOutcome
from history.records import Tile
from reports.present import presences
from reports.runs import OpenRun, opened_run
from viewer.house import AppRuns
from world.visiting import wishes


@dataclass(frozen=True)
class SentRequest:
    """A request left in the inbox for the run's owner."""

    id: str
    told: str
    """A sentence saying what it does and when it takes effect."""
    waits: bool
    """True while the run is not in progress: the request takes effect when it continues."""


@dataclass(frozen=True)
class RunActions:
    """All actions on one run that need no model."""

    house: AppRuns
    run: str

    @contextmanager
    def open_run(self) -> Iterator[OpenRun]:
        """Open the run for reading while the block runs."""
        with opened_run(self.house.runs, self.run) as run:
            yield run

    def outcome(self, wish: str) -> RequestOutcome:
        """Return what has become of a request so far."""
        with Inbox(self.house.folder(self.run)) as inbox:
            return inbox.fate(wish)

    def whisper(self, agent: str, text: str) -> SentRequest:
        """Speak to somebody as their inner voice."""
        with self.open_run() as run:
            name = run.person(agent)
            wish = OperatorRequest(kind="whisper", target=name, text=check_text(text, "a whisper"))
            return _put_request(run, wish, f"{name} hears it")

    def announce(self, text: str) -> SentRequest:
        """Send an announcement to everybody."""
        with self.open_run() as run:
            return _put_request(run, wishes.announcement(text), "Everybody hears it")

    def change(self, text: str, near: str = "") -> SentRequest:
        """Set an object's state, described in plain words; `near` is a person's name or empty."""
        with self.open_run() as run:
            wish = wishes.object_state(text, town_map=run.town.map, near=_tile(run, near))
            return _put_request(run, wish, f"{wish.target} is {wish.text!r}")

    def enter(self, name: str, about: str, place: str, doing: str = "") -> SentRequest:
        """Let a visitor walk in."""
        with self.open_run() as run:
            wish = wishes.entrance(
                *(name, about, place), town=run.town, cast=run.reader.agents(), doing=doing
            )
            return _put_request(run, wish, f"{wish.target} walks in")

    def walk(self, name: str, place: str) -> SentRequest:
        """Let a visitor walk to another place."""
        with self.open_run() as run:
            wish = wishes.walk(name, place, town_map=run.town.map)
            return _put_request(run, wish, f"{name} walks to {wish.text}")

    def do(self, name: str, activity: str) -> SentRequest:
        """Let a visitor do something that others see."""
        with self.open_run() as run:
            return _put_request(run, wishes.deed(name, activity), f"{name} does so")

    def talk(self, name: str, agent: str) -> SentRequest:
        """Let a visitor start a talk with somebody in sight."""
        with self.open_run() as run:
            wish = wishes.talk(name, run.person(agent))
            return _put_request(run, wish, f"{name} speaks to {wish.text}")

    def leave(self, name: str) -> SentRequest:
        """Let a visitor leave the town."""
        with self.open_run() as run:
            return _put_request(run, wishes.leave(name), f"{name} leaves")

    def call(self, name: str, about: str, agent: str) -> SentRequest:
        """Let somebody outside the town call an agent by telephone."""
        with self.open_run() as run:
            wish = wishes.call(name, about, run.person(agent), town=run.town)
            return _put_request(run, wish, f"{wish.target} rings {run.person(agent)}")

    def fork(self, at: int, name: str) -> str:
        """Create another run that shares this one's past up to town second `at`."""
        with self.open_run() as run:
            if run.done is None:
                raise RunError(f"The run {self.run!r} has not lived yet; there is nothing to fork.")
            seconds = run.folder.spec.tick_seconds
            tick = max(0, min(run.tick, at // seconds - 1))
            when = run.format_time((tick + 1) * seconds)
        made = fork_run(self.house.runs, self.run, name.strip(), tick)
        return f"{made.name} shares the past of {self.run} up to {when}."


def _put_request(run: OpenRun, wish: OperatorRequest, effect: str) -> SentRequest:
    """Put a request into the owner's inbox; return what it does and when it takes effect."""
    with Inbox(run.folder) as inbox:
        left = inbox.put(wish)
    return SentRequest(left, f"{effect} {run.from_when()}.", run.state() != "running")


def _tile(run: OpenRun, name: str) -> Tile | None:
    """Return the tile where somebody is; None if unknown."""
    if not name:
        return None
    people = presences(run.reader, run.town.map, run.tick)
    return next((each.tile for each in people if each.name == name), None)
