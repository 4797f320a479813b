"""Looks at one run for all who watch it, and says what is new as messages."""

import sqlite3
from dataclasses import dataclass
from typing import Any

import orjson

from agents.errors import SmolvilleError
from viewer.film.reel import Reel
from viewer.film.towns import Towns
from world.runs.folder import RunFolder, owner_of
from world.runs.pulse import read_pulse

AGAIN = "again"
NOTHING = -2
"""Below every tick: nothing was read yet."""


@dataclass(frozen=True, slots=True)
class Message:
    """One Server-Sent Event."""

    text: bytes
    until: int = NOTHING
    """The tick up to which it tells; NOTHING where it is not about ticks."""
    since: int = NOTHING
    is_again: bool = False
    """True when nothing holds that was told so far."""

    def is_for(self, known: int) -> bool:
        """True for a watcher who was told up to a tick: it has later rows, or another state."""
        return self.until > known or self.since >= known or self.until == NOTHING

    def known_after(self, known: int) -> int:
        """Return up to which tick a watcher was told after this."""
        return NOTHING if self.is_again else max(known, self.until)


def event(name: str, told: Any, until: int = NOTHING) -> Message:
    """Return an event with its data as JSON, which holds no line break."""
    mark = f"id: {until}\n" if until >= 0 else ""
    text = f"{mark}event: {name}\ndata: ".encode() + orjson.dumps(told) + b"\n\n"
    since = NOTHING if until == NOTHING else int(told["since"])
    return Message(text, until, since, name == AGAIN)


class Poll:
    """Reads a run; everything but making it happens in one thread."""

    def __init__(self, folder: RunFolder, towns: Towns) -> None:
        self._folder = folder
        self._towns = towns
        self._reel: Reel | None = None
        self._file: tuple[int, int] | None = None
        self._seen: tuple[int, str | None, str] | None = None
        self._until = NOTHING
        self._state = ""
        self._pulse: Any = None

    def close(self) -> None:
        """Close the history."""
        if self._reel is not None:
            self._reel.close()
            self._reel = None

    def first(self, since: int) -> list[Message]:
        """Return what a new watcher must know, who knows everything up to a tick.

        It is told up to where all others were told: what comes next, they all hear together.
        """
        if self._reel is None:
            self._catch_up()
        assert self._reel is not None
        told = self._reel.tracks(since, max(since, self._until))
        messages = []
        if told["until"] < since:
            messages = [event(AGAIN, {})]
            told = self._reel.tracks(-1, self._until)
        return [*messages, event("tracks", told, told["until"]), event("pulse", self._pulse)]

    def look(self) -> list[Message]:
        """Return what has changed since the last look."""
        try:
            return self._catch_up()
        except (SmolvilleError, sqlite3.Error):
            # Whoever writes it, or a damage, is in the way; the next look tells.
            return []

    def _catch_up(self) -> list[Message]:
        """Read on to the present."""
        messages = self._opened()
        pulse = read_pulse(self._folder)
        seen = self._sight(pulse)
        if seen != self._seen:
            messages += self._news()
            self._seen = seen
        if pulse != self._pulse:
            self._pulse = pulse
            messages.append(event("pulse", pulse))
        return messages

    def _sight(self, pulse: Any) -> tuple[int, str | None, str]:
        """Return what is another when somebody committed, or the run has another owner or state."""
        assert self._reel is not None
        state = str(pulse.get("state", "")) if pulse else ""
        return (self._reel.version(), owner_of(self._folder), state)

    def _news(self) -> list[Message]:
        """Return the ticks that are complete since the last look, or that only the state is new."""
        assert self._reel is not None
        told = self._reel.tracks(max(self._until, -1))
        if told["until"] <= self._until and told["state"] == self._state:
            return []
        self._until, self._state = max(told["until"], self._until), told["state"]
        return [event("tracks", told, self._until)]

    def _opened(self) -> list[Message]:
        """Open the history that is there now, where it is not the one that is read already."""
        file = self._found()
        if self._reel is not None and self._reel.is_begun and file == self._file:
            return []
        is_another = self._file is not None and file != self._file
        self.close()
        # What one connection calls a version says nothing to another.
        self._reel, self._file, self._seen = Reel(self._folder, self._towns), file, None
        if not is_another:
            return []
        self._until, self._state = NOTHING, ""
        return [event(AGAIN, {})]

    def _found(self) -> tuple[int, int] | None:
        """Return which file the history is, None where there is none."""
        try:
            found = self._folder.history_path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino
