"""A model that goes away in the middle: all is saved, and the run goes on to the same day."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from smolville.agents.errors import StoppedError
from smolville.graphs.loop.rules import Rules
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.reply import Reply
from smolville.world.run_request import RunRequest
from tests.whole.lives import AFTERNOON, begin, differing, live, parts, standin


class Leaving(Chat):
    """The stand-in on a server that goes away for good after so many calls."""

    calls_left = 0

    async def ask(self, *given: object, **named: object) -> Reply:
        if self.calls_left == 0:
            raise TransportError("The server is gone.", retryable=False)
        self.calls_left -= 1
        return await super().ask(*given, **named)  # type: ignore[arg-type]


def leaving_after(calls: int) -> Leaving:
    """A model that answers so many calls."""
    chat = standin()
    gone = Leaving(**{item.name: getattr(chat, item.name) for item in fields(Chat)})
    gone.calls_left = calls
    return gone


def test_a_run_whose_model_went_away_goes_on_to_the_same_day(
    day: RunFolder, small: RunRequest, tmp_path: Path
) -> None:
    folder = begin(tmp_path, "left", replace(small, schedule="lockstep"))
    for calls in (0, 9, 31):
        with pytest.raises(StoppedError, match="Everything up to the last commit is saved"):
            live(folder, AFTERNOON, leaving_after(calls))
    with RunReader(folder) as reader:
        kept = reader.connection.execute("SELECT COUNT(*) FROM calls").fetchone()[0]
    assert kept == 0 + 9 + 31
    live(folder, AFTERNOON)
    assert differing(parts(day), parts(folder)) == []


def test_a_strict_run_stops_at_the_first_fallback_and_stays_whole(
    small: RunRequest, tmp_path: Path
) -> None:
    chat = standin(spec="standin:mistakes=1")
    folder = begin(tmp_path, "strict", replace(small, rules=Rules(repairs=0, strict=True)), chat)
    with pytest.raises(StoppedError, match="the run is strict"):
        live(folder, AFTERNOON, chat)
    with RunReader(folder) as reader:
        assert reader.faults() == []
        assert all(step.outcome != "fallback" for step in reader.steps())
