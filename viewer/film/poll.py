"""Looks at one run for all who watch it, and says what is new as messages."""

import sqlite3
from dataclasses import dataclass
from typing import Any

import orjson

from agents.errors import SmolvilleError
from viewer.film.pulses import pulse_of
from viewer.film.reel import Reel
from viewer.film.towns import Towns
from world.runs.folder import RunFolder
from world.runs.owner import owner_of

NOTHING = -2
"""Below every tick: nothing was read yet."""


@dataclass(frozen=True, slots=True)
class Message:
    """One Server-Sent Event."""

    text: bytes
    until: int = NOTHING
    """The tick up to which it tells; NOTHING where it is not about ticks."""
    is_news: bool = True
    """False when it tells of ticks that were told already, because something else changed."""

    def is_new(self, known: int) -> bool:
        """True for a watcher who knows everything up to a tick."""
        return self.until == NOTHING or self.until > known or not self.is_news


def event(name: str, told: Any, until: int = NOTHING, is_news: bool = True) -> Message:
    """Return an event with its data as JSON, which holds no line break."""
    mark = f"id: {until}\n" if until >= 0 else ""
    text = f"{mark}event: {name}\ndata: ".encode() + orjson.dumps(told) + b"\n\n"
    return Message(text, until, is_news)


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
        """Return what a new watcher must know, who knows everything up to a tick."""
        self._catch_up()
        messages = [event("again", {})] if since > self._until else []
        if self._reel is not None:
            after = min(since, self._until)
            messages.append(event("tracks", self._reel.tracks(after, self._until), self._until))
        return [*messages, event("pulse", self._pulse)]

    def look(self) -> list[Message]:
        """Return what has changed since the last look."""
        try:
            return self._catch_up()
        except (SmolvilleError, sqlite3.Error):
            # Whoever writes it, or a damage, is in the way; the next look tells.
            return []

    def _catch_up(self) -> list[Message]:
        """Read on to the present."""
        messages: list[Message] = []
        if self._is_another():
            messages = [event("again", {})] if self._reel is not None else []
            self._open()
        pulse = pulse_of(self._folder)
        if self._has_changed(pulse):
            messages += self._news()
        if pulse != self._pulse:
            self._pulse = pulse
            messages.append(event("pulse", pulse))
        return messages

    def _news(self) -> list[Message]:
        """Return the ticks that are complete since the last look, or that only the state is new."""
        assert self._reel is not None
        told = self._reel.tracks(max(self._until, -1))
        is_news = told["until"] > self._until
        if not is_news and told["state"] == self._state:
            return []
        self._until, self._state = max(told["until"], self._until), told["state"]
        return [event("tracks", told, self._until, is_news)]

    def _has_changed(self, pulse: Any) -> bool:
        """True when somebody committed, or the run has another owner or state."""
        assert self._reel is not None
        state = str(pulse.get("state", "")) if pulse else ""
        seen = (self._reel.version(), owner_of(self._folder), state)
        changed = seen != self._seen
        self._seen = seen
        return changed

    def _is_another(self) -> bool:
        """True when the history is another file than the one that is read."""
        try:
            found = self._folder.history_path.stat()
        except OSError:
            return self._reel is None or self._file is not None
        return self._reel is None or self._file != (found.st_dev, found.st_ino)

    def _open(self) -> None:
        """Open the history that is there now."""
        self.close()
        try:
            found = self._folder.history_path.stat()
            self._file = (found.st_dev, found.st_ino)
        except OSError:
            self._file = None
        self._reel = Reel(self._folder, self._towns)
        self._until, self._state, self._seen = NOTHING, "", None
