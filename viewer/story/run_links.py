"""Links from a run's pages to moments, thoughts and talks, and a function that reads the run."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TypeVar
from urllib.parse import quote, urlencode

from nicegui import run as threads

from smolville.agents.errors import RunError
from smolville.agents.times import date_text, long_text, moment
from smolville.reports.newspaper import Source
from smolville.reports.runs import OpenRun, opened_run
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import link, set_attributes
from smolville.viewer.frame import run_address

Value = TypeVar("Value")
SECONDS = 60.0
"""Maximum time in seconds for making a page, on a busy machine."""


@dataclass(frozen=True, kw_only=True)
class RunLinks:
    """Addresses and dates of one run."""

    run: str
    start: date | None
    """Date of day 1."""
    seconds: int
    """Length of a tick in seconds."""
    tick: int
    """The last complete tick when the page was made; -1 if there was none."""
    state: str
    """State of the run: running, paused, finished or new."""

    @property
    def at(self) -> int:
        """Town second up to which there is something to show."""
        return (self.tick + 1) * self.seconds

    def town(self, at: int, who: str = "") -> str:
        """Return the address of the town page at a moment."""
        asked = {"at": moment_key(at)} | ({"who": who} if who else {})
        return f"{run_address(self.run)}?{urlencode(asked, safe=':')}"

    def why(self, who: str, tick: int) -> str:
        """Return the address of a thought."""
        return run_address(self.run, "why") + f"/{quote(who, safe='')}/{tick}"

    def talk(self, talk: str) -> str:
        """Return the address of a talk."""
        return run_address(self.run, f"talk/{talk}")

    def page(self, path: str, **asked: str | int) -> str:
        """Return the address of another page of this run: `page("news", day=2)`."""
        kept = {name: value for name, value in asked.items() if value != ""}
        return run_address(self.run, path) + (f"?{urlencode(kept, safe=':')}" if kept else "")

    def day(self, day: int) -> str:
        """Return a day with its weekday and date, `Monday 6 May`."""
        return f"Day {day}" if self.start is None else date_text(self.start, day)

    def format_time(self, at: int) -> str:
        """Return a town time with its date."""
        whole = at - at % 60
        return f"day {moment(whole)}" if self.start is None else long_text(self.start, whole)

    def clock(self, at: int) -> str:
        """Return a town time as hours and minutes, without seconds."""
        return moment(at - at % 60).split(" ")[1]

    def source_links(self, source: Source) -> None:
        """Add links to the source of a statement: the moment, and the talk or the thought."""
        made = link(self.clock(source.at), self.town(source.at, source.who), "way")
        set_attributes(made, aria_label=f"{self.clock(source.at)}: see it in the town")
        if source.talk:
            link("the talk", self.talk(source.talk), "way")
        elif source.tick is not None and source.who:
            link("why", self.why(source.who, source.tick), "way")


def moment_key(at: int) -> str:
    """Return a town time as written in addresses, `2-14:30`."""
    return moment(at).replace(" ", "-")


def moment_of(key: str) -> int | None:
    """Return the town time for a key such as `2-14:30`; None if the key is invalid."""
    day, _, clock = key.partition("-")
    parts = [part for part in clock.split(":") if part.isdecimal()]
    if not day.isdecimal() or len(parts) not in (2, 3) or len(key) > 16:
        return None
    hour, minute, second = (int(part) for part in [*parts, "0"][:3])
    return (max(int(day), 1) - 1) * 86_400 + hour * 3600 + minute * 60 + second


async def read(
    config: AppConfig, name: str, look: Callable[[OpenRun], Value]
) -> tuple[RunLinks, Value]:
    """Return a run's links and the result of `look`, which is called outside the event loop."""

    def reading() -> tuple[RunLinks, Value]:
        with opened_run(config.runs, name) as run:
            ways = RunLinks(
                run=run.folder.name,
                start=run.start_date,
                seconds=run.folder.spec.tick_seconds,
                tick=run.tick,
                state=run.state(),
            )
            return ways, look(run)

    found = await threads.io_bound(reading)
    if found is None:
        raise RunError("the app is being closed; open it again with smolville view")
    return found
