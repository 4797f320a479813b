"""The page of charts: how a run's models have performed so far, by step and by hour."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from nicegui import ui

from smolville.agents.times import clock
from smolville.agents.wording import format_count, percent, thousands
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.counts import Counts
from smolville.history.moments import FOREVER
from smolville.history.reader import RunReader
from smolville.reports.analysis import Reason, analyse
from smolville.reports.health import Health, format_kinds, health, hours
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import box, short, words
from smolville.viewer.frame import frame, style
from smolville.viewer.step_names import both_names
from smolville.viewer.story.run_links import SECONDS, read

UNASKED = "Nothing has been asked yet: the run has not started."

Columns = Mapping[str, Callable[[Counts], str]]
"""The columns of a table, by heading."""
Bar = Mapping[str, int]
"""The parts of a bar: their lengths, by kind."""


@dataclass(frozen=True, kw_only=True)
class Readings:
    """The counts of a run up to now, including calls of unfinished thoughts."""

    health: Health
    hours: Mapping[int, Counts]
    reasons: Sequence[Reason]


@dataclass(frozen=True, kw_only=True)
class ChartData:
    """One figure: a table whose rows begin with a name and a bar."""

    key: str
    title: str
    note: str
    head: Sequence[str]
    rows: Sequence[tuple[str, Bar, Sequence[str]]]


def add(config: AppConfig) -> None:
    """Add the page `/run/NAME/charts`."""

    @ui.page("/run/{run}/charts", response_timeout=SECONDS)
    async def charts(run: str) -> None:
        ways, told = await read(config, run, lambda opened: readings(opened.reader))
        style("story", "charts")
        with frame("How the model does", ways.run, "Model"), box("div", "charts"):
            with box("section", "card sums-card"):
                words("p", _describe(told))
                with box("dl", "sums"):
                    _sum_rows(told.health.total)
            for each in figures(told, ways.start):
                if each.rows:
                    _draw(each)


def readings(reader: RunReader) -> Readings:
    """Return the counts of everything recorded so far."""
    with reader.snapshot():
        return Readings(
            health=health(reader), hours=hours(reader, FOREVER), reasons=analyse(reader)
        )


def _draw(figure: ChartData) -> None:
    with box("section", "card figure", aria_labelledby=f"figure-{figure.key}"):
        words("h2", figure.title, id=f"figure-{figure.key}")
        words("p", figure.note, "soft")
        with (
            box("div", "scrolls", tabindex="0", role="region", aria_label=figure.title),
            box("table", "figures"),
        ):
            _table_rows(figure)


def _table_rows(figure: ChartData) -> None:
    most = max((sum(bar.values()) for _, bar, _ in figure.rows), default=0) or 1
    words("caption", figure.title, "unseen")
    with box("thead"), box("tr"):
        for title in figure.head:
            words("th", title, scope="col")
    with box("tbody"):
        for name, bar, cells in figure.rows:
            with box("tr"):
                with box("th", scope="row"):
                    short("span", name, longest=120)
                    with box("span", "chart-bar", aria_hidden="true"):
                        for kind, count in bar.items():
                            box("i", f"end-{kind}").style(f"width: {100 * count / most:.2f}%")
                for cell in cells:
                    is_number = cell[:1].isdigit() or cell in ("-", "not told")
                    short("td", cell, "number" if is_number else "", longest=300)


def _describe(told: Readings) -> str:
    total = told.health.total
    if not total.recorded and not total.steps:
        return UNASKED
    clean, given_up = (total.outcomes.get(each, 0) for each in ("clean", "fallback"))
    rest = f"In {given_up:,} no answer could be used, and a rule decided. " if given_up else ""
    told_faults = " ".join(["", *told.health.faults])
    return (
        f"A step is one question to a model, together with every time it was asked again. Of "
        f"{format_count(total.steps, 'step')}, {clean:,} were accepted at "
        f"once, and a check objects to {total.odd:,} of the accepted answers. {rest}"
        f"Every share is one of all steps.{told_faults}"
    )


def _sum_rows(total: Counts) -> None:
    shares: dict[str, int] = {each: total.outcomes.get(each, 0) for each in OUTCOMES}
    shares["objected to"] = total.odd
    cached = total.cached_share
    sums = {
        "steps": f"{total.steps:,}",
        **{name: f"{count:,} ({percent(count, total.steps)})" for name, count in shares.items()},
        "calls": f"{total.recorded:,}",
        "prompt tokens": thousands(total.prompt_tokens),
        "completion tokens": thousands(total.completion_tokens),
        "cached": "not told" if cached is None else f"{100 * cached:.1f} %",
        "cut prompts": f"{total.cuts:,}",
    }
    for name, value in sums.items():
        with box("div"):
            words("dt", name, f"is-{name}")
            words("dd", value)


def _number(name: str) -> Callable[[Counts], str]:
    return lambda part: f"{getattr(part, name):,}"


ENDS: Columns = {
    "Steps": _number("steps"),
    "odd": lambda part: percent(part.odd, part.steps),
    "odd how": lambda part: format_kinds(part.odd_kinds),
}
"""Columns beside those of the outcomes."""
CALLS: Columns = {
    "Calls": _number("recorded"),
    "of unfinished thoughts": _number("unfinished"),
    "did not get through": _number("retries"),
    "Mean ms": lambda part: f"{part.milliseconds / (part.recorded or 1):,.1f}",
    "All ms": lambda part: f"{part.milliseconds:,.0f}",
    "Prompt tokens": _number("prompt_tokens"),
    "Completion tokens": _number("completion_tokens"),
    "of thinking": _number("thinking_tokens"),
    "Cut prompts": _number("cuts"),
}


def figures(told: Readings, start: date | None = None) -> Iterator[ChartData]:
    """Yield all figures of a run; `start` is the date of its first day."""
    steps = {both_names(step): part for step, part in told.health.steps.items()}
    yield _ended(
        "steps",
        "How steps ended, by step",
        "Exactly one outcome for every step. A fallback is a step in which no model's answer could "
        "be used. An answer is odd where a check objects to it.",
        steps,
    )
    by_hour = {format_hour(hour, start): part for hour, part in told.hours.items()}
    note = "Town hours, from the first in which anything was asked."
    yield _ended("hours", "How steps ended, hour by hour", note, by_hour)
    yield ChartData(
        key="calls",
        title="Calls and tokens, by step",
        note="Every request to a model that was recorded. Calls of thoughts that were broken off "
        "cost time and tokens too. Times include waiting for the server.",
        head=("Step", *CALLS),
        rows=[
            (name, {"clean": part.recorded}, [cell(part) for cell in CALLS.values()])
            for name, part in steps.items()
        ],
    )
    yield ChartData(
        key="reasons",
        title="What went wrong, by reason",
        note="Read from replies, problems and times, with an example of each.",
        head=("Reason", "Times", "Most in", "Example"),
        rows=[
            (
                each.title,
                {"fallback": each.count},
                (
                    f"{each.count:,}",
                    ", ".join(
                        f"{both_names(step)}: {n:,}" for step, n in each.by_step.most_common(2)
                    ),
                    f"{each.example.agent}: {each.example.sentence}"[:300],
                ),
            )
            for each in told.reasons
        ],
    )


def _ended(key: str, title: str, note: str, parts: Mapping[str, Counts]) -> ChartData:
    rows = []
    for name, part in parts.items():
        ends: dict[str, int] = {each: part.outcomes.get(each, 0) for each in OUTCOMES}
        first, *others = (cell(part) for cell in ENDS.values())
        rows.append((name, ends, [first, *map("{:,}".format, ends.values()), *others]))
    first, *others = ENDS
    what = "Hour" if key == "hours" else "Step"
    return ChartData(
        key=key, title=title, note=note, head=(what, first, *OUTCOMES, *others), rows=rows
    )


def format_hour(hour: int, start: date | None) -> str:
    """Return an hour of a run: `Tue 14:00`, and after the first week `Tue 14 May 14:00`."""
    days, time = hour // 24, clock(hour % 24 * 60)
    if start is None:
        return f"day {days + 1} {time}"
    day = start + timedelta(days=days)
    return f"{day:%a} {time}" if days < 7 else f"{day:%a} {day.day} {day:%b} {time}"
