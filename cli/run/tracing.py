"""Whether a run is traced in LangSmith, and what is said of it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.options import command
from cli.screen import say
from cli.settings.choosing import Chosen
from lab.tracing.langsmith.choosing import Mode
from lab.tracing.langsmith.target import Target, is_asked_for, target_in
from world.runs.folder import RunFolder

if TYPE_CHECKING:
    from lab.tracing.langsmith.sender import Traces

LOG = logging.getLogger("smolville")

NO_KEY = "Nothing is sent to LangSmith: there is no LANGSMITH_API_KEY in the environment or .env."


@dataclass(frozen=True)
class Tracing:
    """What is sent of a run, and where to."""

    target: Target | None = None
    """None: nothing is."""
    mode: Mode = "thoughts"
    note: str = ""
    """Why nothing is sent although it was asked for."""

    @contextmanager
    def of(self, folder: RunFolder) -> Iterator[tuple["Traces", ...]]:
        """Give what watches the run, if it is traced; the end waits a little and is told."""
        self._say(self.note)
        if self.target is None:
            yield ()
            return
        from lab.tracing.langsmith.line import Line
        from lab.tracing.langsmith.sender import Traces, quiet

        with quiet():
            traces = Traces(folder, Line(self.target), self.mode)
            try:
                yield (traces,)
            finally:
                sent = traces.finish()
                again = command(folder.path.parent, "trace", folder.name, "--langsmith", self.mode)
                later = f" Send them later with: {again}" if sent.missed else ""
                self._say(sent.told(self.target.project) + later)

    def _say(self, text: str) -> None:
        """Say it on standard error, and write it down."""
        if text:
            LOG.info("%s", text)
            say(text, "dim", on_stderr=True)


def tracing(chosen: Chosen) -> Tracing:
    """Return what is sent of a run with these settings.

    Without a setting, LANGSMITH_TRACING asks; then a missing key is nothing to speak of.
    """
    said, env = chosen.values.trace, chosen.surroundings
    if said == "off" or (said is None and not is_asked_for(env)):
        return Tracing()
    target = target_in(env, chosen.values.trace_mask)
    if target is None:
        return Tracing(note="" if said is None else NO_KEY)
    return Tracing(target=target, mode=said or "thoughts")
