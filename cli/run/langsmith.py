"""Decide whether a run is traced in LangSmith, and print the messages about it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from smolville.agents.wording import format_count
from smolville.cli.options import command
from smolville.cli.screen import say
from smolville.cli.settings.choosing import ResolvedSettings
from smolville.history.folder import RunFolder
from smolville.history.observers import RunObserver
from smolville.lab.langsmith_target import LangSmithTarget, is_asked_for, target_in
from smolville.lab.tracing.langsmith import Mode, TraceSender

LOG = logging.getLogger("smolville")
NO_KEY = "Nothing is sent to LangSmith: there is no LANGSMITH_API_KEY in the environment or .env."


@dataclass(frozen=True)
class Tracing:
    """The part of a run that is sent to LangSmith, and the project that it is sent to."""

    target: LangSmithTarget | None
    mode: Mode

    @contextmanager
    def of(self, folder: RunFolder) -> Iterator[tuple[RunObserver, ...]]:
        """Yield the observer that traces the run, if any; at the end, report what was sent."""
        if self.target is None:
            if self.mode != "off":
                _tell(NO_KEY)
            yield ()
            return
        sender = TraceSender(folder, self.target, self.mode)
        try:
            yield (sender,)
        finally:
            taken, why = sender.finish()
            if why:
                again = command(folder.path.parent, "trace", folder.name, "--langsmith")
                _tell(f"Not all traces arrived in LangSmith: {why}. Send them later with: {again}")
            elif taken:
                _tell(f"{format_count(taken, 'trace')} sent to LangSmith, {self.target.project}.")


def _tell(text: str) -> None:
    LOG.info("%s", text)
    say(text, "dim", on_stderr=True)


def tracing(chosen: ResolvedSettings) -> Tracing:
    """Return how a run is traced with these settings.

    Without the setting `trace`, LANGSMITH_TRACING decides; a missing key is then not mentioned.
    """
    mode, env = chosen.values.trace, chosen.surroundings
    target = target_in(env)
    if mode is None:
        mode = "thoughts" if target and is_asked_for(env) else "off"
    return Tracing(target if mode != "off" else None, mode)
