"""An operator's actions on a run; most of them put a request into the run's inbox."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

from smolville.agents.errors import RunError
from smolville.agents.wording import check_text
from smolville.history.cut import fork as fork_run
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.reports.present import presence, presences
from smolville.reports.runs import OpenRun, known_name, opened_run, refuse_second_visit
from smolville.reports.stretches import spoken_place
from smolville.viewer.config import AppConfig
from smolville.world import wishes
from smolville.world.meaning import find_place

AT_FIRST = 60.0
"""Real seconds for which a run keeps a visitor's pace before the visitor's page sets its own."""
ON_THE_WAY = 80.0
"""Town seconds per real second while a visitor is on the way; a person then walks eight tiles."""


@dataclass(frozen=True)
class SentRequest:
    """A request left in the inbox for the run's owner."""

    id: str
    told: str
    """A sentence on what the request does and when it takes effect."""
    waits: bool
    """True while the run is not in progress: the request takes effect when it continues."""
    done: str = ""
    """What has happened once the town has taken the request in; a phrase without a full stop."""
    visitor: str = ""
    """The visitor whom the request lets enter or act; empty for none."""


@dataclass(frozen=True)
class AcceptedRequest:
    """A request that the town has taken in."""

    at: int
    """Town second from which the request is in effect."""
    when: str
    """The same in words."""
    kind: str
    target: str
    thought: int | None
    """Tick of the first thought after a whisper; None before there is one."""


class Lived(NamedTuple):
    """How far a run has got."""

    at: int
    """The town second."""
    state: str


@dataclass(frozen=True)
class RunActions:
    """All actions on one run that need no model."""

    config: AppConfig
    run: str

    @contextmanager
    def open_run(self) -> Iterator[OpenRun]:
        """Open the run for reading while the block runs."""
        with opened_run(self.config.runs, self.run) as run:
            yield run

    def inbox(self) -> Inbox:
        """Open the run's inbox."""
        return Inbox(self.config.folder(self.run))

    def settled(self, wish: str) -> tuple[str, AcceptedRequest | None] | None:
        """Return why a request was refused, or when it took effect; None while it waits.

        A refused request limits the run's pace no longer.
        """
        with self.inbox() as inbox:
            fate = inbox.fate(wish)
        if fate.state == "waiting":
            return None
        if fate.state == "refused":
            self.keep_pace(0, 0)
            return f"The town did not let it happen: {fate.why.rstrip('.')}.", None
        with self.open_run() as run:
            for each in run.reader.interventions():
                if each.id == wish:
                    at = each.tick * run.folder.spec.tick_seconds
                    is_heard = each.kind == "whisper"
                    after = (
                        run.reader.thoughts(each.target, each.tick, run.tick) if is_heard else ()
                    )
                    thought = after[0].tick if after else None
                    when = run.format_time(at)
                    return "", AcceptedRequest(at, when, each.kind, each.target, thought)
        return "", None

    def lived(self) -> Lived:
        """Return how far the run has got."""
        with self.open_run() as run:
            return Lived(run.at, run.state())

    def keep_pace(self, rate: float, seconds: float) -> None:
        """Limit the run's town seconds per real second, for some seconds."""
        with self.inbox() as inbox:
            inbox.set_pace(rate, seconds)

    def whisper(self, agent: str, text: str) -> SentRequest:
        """Speak to somebody as their inner voice."""
        with self.open_run() as run:
            name = run.person(agent)
            wish = OperatorRequest(kind="whisper", target=name, text=check_text(text, "a whisper"))
            return _put_request(run, wish, f"{name} hears it", f"{name} heard it")

    def announce(self, text: str) -> SentRequest:
        """Send an announcement to everybody."""
        with self.open_run() as run:
            wish = wishes.announcement(text)
            return _put_request(run, wish, "Everybody hears it", "it was announced")

    def change(self, text: str, near: str = "") -> SentRequest:
        """Change an object's state, as `text` says in plain words: `the stove is on fire`.

        `near` names a person near the object; it may be empty.
        """
        with self.open_run() as run:
            people = presences(run.reader, run.town.map, run.tick) if near else []
            tile = next((each.tile for each in people if each.name == near), None)
            wish = wishes.object_state(text, town_map=run.town.map, near=tile)
            told = f"{wish.target} is {wish.text!r}"
            return _put_request(run, wish, told, told)

    def enter(self, name: str, about: str, place: str) -> SentRequest:
        """Let a visitor walk in."""
        with self.open_run() as run:
            name = known_name(run, name)
            cast = run.reader.agents()
            wish = wishes.entrance(name, about, place, town=run.town, cast=cast)
            refuse_second_visit(run, wish.target)
            found = spoken_place(find_place(place, run.town.map))
            return self._visit(run, wish, f"comes to {found}", f"came to {found}")

    def walk(self, name: str, place: str) -> SentRequest:
        """Let a visitor walk to another place."""
        with self.open_run() as run:
            wish = wishes.walk(name, place, town_map=run.town.map)
            place = spoken_place(wish.text)
            return self._visit(run, wish, f"walks to {place}", f"set out for {place}")

    def do(self, name: str, activity: str) -> SentRequest:
        """Let a visitor do something that others see."""
        with self.open_run() as run:
            return self._visit(run, wishes.deed(name, activity), "does so", "began to")

    def talk(self, name: str, agent: str) -> SentRequest:
        """Let a visitor start a talk; the visitor first walks to the other person if needed."""
        with self.open_run() as run:
            wish = wishes.talk(name, run.person(agent))
            whom = presence(run.reader, run.town.map, run.tick, wish.text)
            if whom.action is not None and whom.action.kind == "sleep":
                raise RunError(f"{wish.text} is asleep.")
            return self._visit(run, wish, f"speaks to {wish.text}", f"spoke to {wish.text}")

    def leave(self, name: str) -> SentRequest:
        """Let a visitor leave the town."""
        with self.open_run() as run:
            return self._visit(run, wishes.leave(name), "leaves", "left")

    def send_visitors_away(self, but: str) -> None:
        """Make all visitors except `but` leave.

        In a fork, nobody plays the visitors of its parent run.
        """
        with self.open_run() as run, Inbox(run.folder) as inbox:
            for each in run.reader.visits(run.tick):
                if each.left is None and not each.by_telephone and each.name != but:
                    inbox.put(wishes.leave(each.name))

    def call(self, name: str, about: str, agent: str) -> SentRequest:
        """Let somebody outside the town call an agent by telephone."""
        with self.open_run() as run:
            who = known_name(run, name)
            wish = wishes.call(who, about, run.person(agent), town=run.town)
            self.keep_pace(0, AT_FIRST)
            whom = run.person(agent)
            told = f"{wish.target} rings {whom}"
            return _put_request(run, wish, told, f"{wish.target} rang {whom}")

    def _visit(self, run: OpenRun, wish: OperatorRequest, does: str, did: str) -> SentRequest:
        """Leave a visitor's request, and keep the run at a pace that can be watched."""
        self.keep_pace(ON_THE_WAY, AT_FIRST)
        name = wish.target
        sent = _put_request(run, wish, f"{name} {does}", f"{name} {did}")
        return replace(sent, visitor=name)

    def fork(self, at: int, name: str) -> str:
        """Create another run that shares this one's past up to town second `at`."""
        with self.open_run() as run:
            if run.done is None:
                raise RunError(f"The run {self.run!r} has not lived yet; there is nothing to fork.")
            seconds = run.folder.spec.tick_seconds
            tick = max(0, min(run.tick, at // seconds - 1))
            when = run.format_time((tick + 1) * seconds)
        made = fork_run(self.config.runs, self.run, name.strip(), tick)
        return f"{made.name} shares the past of {self.run} up to {when}."


def _put_request(run: OpenRun, wish: OperatorRequest, effect: str, done: str) -> SentRequest:
    with Inbox(run.folder) as inbox:
        left = inbox.put(wish)
        is_paused = inbox.is_paused()
    waits = run.state() != "running"
    when = run.from_when() if waits else "once the town goes on" if is_paused else "in a moment"
    return SentRequest(left, f"{effect} {when}.", waits, done)
