"""A run's figures: each has its numbers as a table, and a chart if there is something to draw."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from shlex import quote

from smolville.agents.errors import SmolvilleError
from smolville.agents.times import clock
from smolville.agents.wording import percent
from smolville.graphs.loop.ledger import OUTCOMES, StepOutcome
from smolville.history.counts import Counts, steps_by_template
from smolville.history.folder import RunFolder
from smolville.history.moments import FOREVER
from smolville.history.reader import RunReader
from smolville.reports.analysis import Reason, analyse
from smolville.reports.health import Health, format_kinds, health, hours
from smolville.viewer.charts.echarts import ChartData, bars, columns
from smolville.viewer.step_names import both_names

MOST_COMMANDS = 6
MOST_HOURS = 96
"""Maximum number of hours in a chart: the last hours of a long run. The table holds all."""

Stamp = tuple[tuple[int, int], ...]
"""Sizes and modification times of the history's files; they change with every commit."""
Number = Callable[[Counts], float]
Cell = Callable[[Counts], str]


@dataclass(frozen=True, kw_only=True)
class Readings:
    """The counts of a run up to now, including calls of unfinished thoughts."""

    health: Health
    hours: Mapping[int, Counts]
    reasons: Sequence[Reason]
    templates: Mapping[tuple[str, str], Counts]
    """Outcomes of executed steps, by (step, template version)."""


def readings(reader: RunReader) -> Readings:
    """Return the counts of everything recorded so far."""
    with reader.snapshot():
        return Readings(
            health=health(reader),
            hours=hours(reader, FOREVER),
            reasons=analyse(reader),
            templates=steps_by_template(reader.connection),
        )


def reread(folder: RunFolder) -> Readings | None:
    """Read the counts again; None while the history cannot be read."""
    try:
        with RunReader(folder) as reader:
            return readings(reader)
    except SmolvilleError:
        return None


def stamp(folder: RunFolder) -> Stamp:
    """Return sizes and modification times of a history's files; if unchanged, nothing is new."""
    paths = folder.history_path, folder.history_path.with_name("town.sqlite-wal")
    found = [path.stat() for path in paths if path.exists()]
    return tuple((each.st_size, each.st_mtime_ns) for each in found)


def figures(run: str, told: Readings, start: date | None = None) -> Iterator[ChartData]:
    """Yield all figures of a run; `start` is the date of its first day."""
    steps = {both_names(step): part for step, part in told.health.steps.items()}
    by_hour = {format_hour(hour, start): part for hour, part in told.hours.items()}
    ended = (
        "Exactly one outcome for every step. A fallback is a step in which no model's answer could "
        "be used. An answer is odd where a check objects to it."
    )
    yield _figure(
        ("steps", "How steps ended, by step", ended, "Step"),
        steps,
        ENDS,
        OUTCOME_SERIES,
        commands=_by_outcome(run, told.health.steps),
    )
    yield _figure(
        (
            "calls",
            "Calls, by step",
            "Every request to a model that was recorded. Calls of thoughts that were broken off "
            "cost time and tokens too. Times include waiting for the server.",
            "Step",
        ),
        steps,
        CALLS,
        {
            "of steps that ended": lambda part: part.calls,
            "of unfinished thoughts": lambda part: part.unfinished,
        },
    )
    yield _figure(
        (
            "tokens",
            "Tokens, by step",
            "As reported by the servers; calls without a report have a column of their own.",
            "Step",
        ),
        steps,
        TOKENS,
        {
            "prompt": lambda part: part.prompt_tokens,
            "completion": lambda part: part.completion_tokens,
        },
    )
    for key, title, cells, series in (
        ("hours", "How steps ended, hour by hour", ENDS, OUTCOME_SERIES),
        ("asked", "Calls, hour by hour", ASKED, {"calls": lambda part: part.calls}),
    ):
        note = (
            f"Town hours, from the first in which anything was asked; at most {MOST_HOURS} drawn."
        )
        yield _figure((key, title, note, "Hour"), by_hour, cells, series, is_by_hour=True)
    yield _reasons(run, told.reasons)
    yield _figure(
        ("people", "How steps ended, by person", ended, "Person"),
        told.health.agents,
        ENDS,
        OUTCOME_SERIES,
    )
    edited = "If a template was edited during the run, its versions are listed side by side."
    yield _figure(
        ("templates", "How steps ended, by template version", edited, "Template"),
        {f"{step} @ {version}": part for (step, version), part in told.templates.items()},
        ENDS,
        OUTCOME_SERIES,
    )


def _number(name: str) -> Cell:
    return lambda part: f"{getattr(part, name):,}"


def _outcome(outcome: StepOutcome) -> Callable[[Counts], int]:
    return lambda part: part.outcomes.get(outcome, 0)


def _outcome_cell(outcome: StepOutcome) -> Cell:
    return lambda part: f"{part.outcomes.get(outcome, 0):,}"


def _told(value: float | None, form: str) -> str:
    return "not told" if value is None else form.format(value)


OUTCOME_SERIES: Mapping[str, Number] = {each: _outcome(each) for each in OUTCOMES}
ENDS: Mapping[str, Cell] = {
    "Steps": _number("steps"),
    **{each: _outcome_cell(each) for each in OUTCOMES},
    "odd": lambda part: percent(part.odd, part.steps),
    "odd how": lambda part: format_kinds(part.odd_kinds),
}
CALLS: Mapping[str, Cell] = {
    "Calls": _number("recorded"),
    "of unfinished thoughts": _number("unfinished"),
    "from the reply cache": _number("from_cache"),
    "did not get through": _number("retries"),
    "Mean ms": lambda part: f"{part.milliseconds / (part.recorded or 1):,.1f}",
    "All ms": lambda part: f"{part.milliseconds:,.0f}",
    "tokens/s": lambda part: _told(part.tokens_per_second, "{:,.0f}"),
}
TOKENS: Mapping[str, Cell] = {
    "Prompt": _number("prompt_tokens"),
    "Completion": _number("completion_tokens"),
    "of thinking": _number("thinking_tokens"),
    "calls untold": _number("uncounted"),
    "Cached share": lambda part: _told(part.cached_share, "{:.1%}"),
    "Cut prompts": _number("cuts"),
    "Left out to fit": _number("dropped"),
}
ASKED: Mapping[str, Cell] = {
    "Calls": _number("calls"),
    "Prompt tokens": _number("prompt_tokens"),
    "Completion tokens": _number("completion_tokens"),
    "Milliseconds": lambda part: f"{part.milliseconds:,.0f}",
}
"""Columns of tables by heading."""


def _figure(
    words: tuple[str, str, str, str],
    parts: Mapping[str, Counts],
    cells: Mapping[str, Cell],
    series: Mapping[str, Number],
    *,
    commands: Sequence[str] = (),
    is_by_hour: bool = False,
) -> ChartData:
    """Return a figure with a row and a bar per part; `words` are key, title, note and what is one.

    A series that is 0 everywhere is left out, unless it is of an outcome.
    """
    key, title, note, what = words
    drawn = dict(list(parts.items())[-MOST_HOURS:]) if is_by_hour else parts
    values = {name: [number(part) for part in drawn.values()] for name, number in series.items()}
    kept = {name: some for name, some in values.items() if any(some) or series is OUTCOME_SERIES}
    return ChartData(
        key=key,
        title=title,
        note=note,
        head=(what, *cells),
        rows=[(name, *(cell(part) for cell in cells.values())) for name, part in parts.items()],
        options=(columns if is_by_hour else bars)(list(drawn), kept or values),
        height=300 if is_by_hour else 90 + 26 * max(len(drawn), 1),
        commands=commands,
    )


def _by_outcome(run: str, steps: Mapping[str, Counts]) -> list[str]:
    """Return the commands that list fallbacks, odd answers and repaired answers."""
    found = [
        (place, -count, name, words)
        for name, part in steps.items()
        for place, count, words in (
            (0, part.outcomes.get("fallback", 0), "--outcome fallback"),
            (1, part.odd, "--odd any"),
            (2, part.outcomes.get("escalated", 0), "--outcome escalated"),
            (2, part.outcomes.get("repaired", 0), "--outcome repaired"),
        )
        if count
    ]
    lines = [
        f"smolville moments {quote(run)} --step {quote(name)} {words}"
        for _, _, name, words in sorted(found)[:MOST_COMMANDS]
    ]
    return lines or [f"smolville moments {quote(run)}"]


def _reasons(run: str, reasons: Sequence[Reason]) -> ChartData:
    counts = {"times": [each.count for each in reasons]}
    return ChartData(
        key="reasons",
        title="What went wrong, by reason",
        note="Read from replies, problems and times. An example of each is in the table."
        if reasons
        else "Nothing went wrong that was recorded.",
        head=("Reason", "Times", "Most in", "Example"),
        rows=[
            (
                each.title,
                f"{each.count:,}",
                ", ".join(f"{both_names(name)}: {n:,}" for name, n in each.by_step.most_common(2)),
                f"{each.example.agent}: {each.example.sentence}"[:300],
            )
            for each in reasons
        ],
        options=bars([each.title for each in reasons], counts) if reasons else None,
        height=90 + 26 * len(reasons),
        commands=[f"smolville health {quote(run)} --by reason"] if reasons else (),
    )


def format_hour(hour: int, start: date | None) -> str:
    """Return an hour of a run: `Tue 14:00`, and after the first week `Tue 14 May 14:00`."""
    days, time = hour // 24, clock(hour % 24 * 60)
    if start is None:
        return f"day {days + 1} {time}"
    day = start + timedelta(days=days)
    return f"{day:%a} {time}" if days < 7 else f"{day:%a} {day.day} {day:%b} {time}"
