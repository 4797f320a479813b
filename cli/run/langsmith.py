"""Decide whether a run is traced in LangSmith, and print the messages about it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.cli.options import command
from smolville.cli.screen import say
from smolville.cli.settings.choosing import ResolvedSettings
from smolville.history.folder import RunFolder
from smolville.lab.tracing.langsmith.target import LangSmithTarget, is_asked_for, target_in
from smolville.lab.tracing.listing import Mode

if TYPE_CHECKING:
    from smolville.lab.tracing.langsmith.sender import TraceSender

LOG = logging.getLogger("smolville")

NO_KEY = "Nothing is sent to LangSmith: there is no LANGSMITH_API_KEY in the environment or .env."


@dataclass(frozen=True)
class Tracing:
    """The part of a run that is sent to LangSmith, and the project that it is sent to."""

    target: LangSmithTarget | None = None
    """The LangSmith project to send to; None if nothing is sent."""
    mode: Mode = "thoughts"
    note: str = ""
    """Why nothing is sent although tracing was asked for; empty otherwise."""

    @contextmanager
    def of(self, folder: RunFolder) -> Iterator[tuple["TraceSender", ...]]:
        """Yield the observer that traces the run, if any; at the end, report what was sent."""
        self._say(self.note)
        if self.target is None:
            yield ()
            return
        from smolville.lab.tracing.langsmith.sender import TraceSender, quiet
        from smolville.lab.tracing.langsmith.tree_sender import TreeSender

        with quiet():
            traces = TraceSender(folder, TreeSender(self.target), self.mode)
            try:
                yield (traces,)
            finally:
                sent = traces.finish()
                again = command(folder.path.parent, "trace", folder.name, "--langsmith", self.mode)
                later = f" Send them later with: {again}" if sent.missed else ""
                self._say(sent.describe(self.target.project) + later)

    def _say(self, text: str) -> None:
        """Print a text on standard error, and log it."""
        if text:
            LOG.info("%s", text)
            say(text, "dim", on_stderr=True)


def tracing(chosen: ResolvedSettings) -> Tracing:
    """Return how a run is traced with these settings.

    Without the setting `trace`, LANGSMITH_TRACING decides; a missing key is then not mentioned.
    """
    mode, env = chosen.values.trace, chosen.surroundings
    if mode == "off" or (mode is None and not is_asked_for(env)):
        return Tracing()
    target = target_in(env, chosen.values.trace_mask)
    if target is None:
        return Tracing(note="" if mode is None else NO_KEY)
    return Tracing(target=target, mode=mode or "thoughts")
