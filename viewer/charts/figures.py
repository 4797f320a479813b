"""A run's figures: each has its numbers as a table, and a chart if one helps."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from shlex import quote

from smolville.agents.times import clock
from smolville.agents.wording import percent
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.counts import Counts
from smolville.reports.health import format_kinds
from smolville.reports.tally import Hour
from smolville.viewer.charts.echarts import ChartData, bars, columns, height_of
from smolville.viewer.charts.readings import Readings
from smolville.viewer.step_names import both_names

MOST_COMMANDS = 6
DAYS_OF_WEEK = 7
MOST_HOURS = 96
"""Maximum number of hours in a chart: the last hours of a long run. The table holds all."""


def figures(run: str, told: Readings, start: date | None = None) -> Iterator[ChartData]:
    """Yield all figures of a run; `start` is the date of its first day."""
    agents = told.health.agents
    steps = {both_names(step): part for step, part in told.health.steps.items()}
    yield _outcomes(
        "steps", "How steps ended, by step", "Step", steps, _by_outcome(run, told.health.steps)
    )
    yield _calls(steps)
    yield _tokens(steps)
    yield _times(steps)
    yield _context(steps)
    yield _ended_by_hour(told.hours, start)
    yield _asked_by_hour(told.hours, start)
    yield _reasons(run, told)
    yield _outcomes("people", "How steps ended, by person", "Person", agents, ())
    yield _templates(told)


def _outcomes(
    key: str,
    title: str,
    what: str,
    parts: Mapping[str, Counts],
    commands: Sequence[str],
    note: str = "Exactly one outcome for every step. A fallback is a step in which no model's "
    "answer could be used. An answer is odd where a check objects to it.",
) -> ChartData:
    """Return the outcomes of steps, with the share that is odd and the kinds of oddity."""
    series = {
        outcome: [part.outcomes.get(outcome, 0) for part in parts.values()] for outcome in OUTCOMES
    }
    rows = [
        (
            name,
            f"{part.steps:,}",
            *(f"{part.outcomes.get(outcome, 0):,}" for outcome in OUTCOMES),
            percent(part.odd, part.steps),
            format_kinds(part.odd_kinds),
        )
        for name, part in parts.items()
    ]
    return ChartData(
        key=key,
        title=title,
        note=note,
        head=(what, "Steps", *OUTCOMES, "odd", "odd how"),
        rows=rows,
        options=bars(list(parts), series),
        height=height_of(len(parts)),
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


def _calls(steps: Mapping[str, Counts]) -> ChartData:
    kept = {name: part.calls for name, part in steps.items()}
    lost = {name: part.unfinished for name, part in steps.items()}
    series = {"of steps that ended": list(kept.values())}
    if any(lost.values()):
        series["of unfinished thoughts"] = list(lost.values())
    return ChartData(
        key="calls",
        title="Calls, by step",
        note="Every request to a model that was recorded. Calls of thoughts "
        "that were broken off cost time and tokens too.",
        head=(
            "Step",
            "Calls",
            "of unfinished thoughts",
            "from the reply cache",
            "did not get through",
        ),
        rows=[
            (
                name,
                f"{part.recorded:,}",
                f"{part.unfinished:,}",
                f"{part.from_cache:,}",
                f"{part.retries:,}",
            )
            for name, part in steps.items()
        ],
        options=bars(list(steps), series),
        height=height_of(len(steps)),
    )


def _tokens(steps: Mapping[str, Counts]) -> ChartData:
    series = {
        "prompt": [part.prompt_tokens for part in steps.values()],
        "completion": [part.completion_tokens for part in steps.values()],
    }
    return ChartData(
        key="tokens",
        title="Tokens, by step",
        note="As reported by the servers; calls without a report have a column of their own.",
        head=("Step", "Prompt", "Completion", "of thinking", "calls untold"),
        rows=[
            (
                name,
                f"{part.prompt_tokens:,}",
                f"{part.completion_tokens:,}",
                f"{part.thinking_tokens:,}",
                f"{part.uncounted:,}",
            )
            for name, part in steps.items()
        ],
        options=bars(list(steps), series),
        height=height_of(len(steps)),
    )


def _times(steps: Mapping[str, Counts]) -> ChartData:
    means = [_mean(part) for part in steps.values()]
    return ChartData(
        key="times",
        title="Milliseconds of a call, by step",
        note="The mean over all calls, waiting for the server included.",
        head=("Step", "Mean ms", "All ms", "tokens/s"),
        rows=[
            (
                name,
                f"{_mean(part):,.1f}",
                f"{part.milliseconds:,.0f}",
                "-" if part.tokens_per_second is None else f"{part.tokens_per_second:,.0f}",
            )
            for name, part in steps.items()
        ],
        options=bars(list(steps), {"mean milliseconds": [round(mean, 1) for mean in means]}),
        height=height_of(len(steps)),
    )


def _context(steps: Mapping[str, Counts]) -> ChartData:
    shares = [part.cached_share for part in steps.values()]
    known = any(share is not None for share in shares)
    drawn = [round(100 * (share or 0), 1) for share in shares]
    return ChartData(
        key="context",
        title="Cached and cut prompts, by step",
        note="Which part of the prompts the servers had cached, and how often one did not fit."
        + ("" if known else " No server reported its cached tokens.")
        + ("" if any(part.cuts or part.dropped for part in steps.values()) else " All fitted."),
        head=("Step", "Cached share", "Cut prompts", "Left out to fit"),
        rows=[
            (
                name,
                "not told" if share is None else f"{100 * share:.1f} %",
                f"{part.cuts:,}",
                f"{part.dropped:,}",
            )
            for (name, part), share in zip(steps.items(), shares, strict=True)
            if share is not None or part.cuts or part.dropped
        ],
        options=bars(list(steps), {"cached share, %": drawn}, most=100) if known else None,
        height=height_of(len(steps)),
    )


def _reasons(run: str, told: Readings) -> ChartData:
    reasons = told.reasons
    return ChartData(
        key="reasons",
        title="What went wrong, by reason",
        note="Read from replies, problems and times. An example of each is in the table."
        if reasons
        else "Nothing went wrong that was recorded.",
        head=("Reason", "Times", "Most in", "Example"),
        rows=[
            (
                reason.title,
                f"{reason.count:,}",
                ", ".join(
                    f"{both_names(name)}: {n:,}" for name, n in reason.by_step.most_common(2)
                ),
                f"{reason.example.agent}: {reason.example.sentence}"[:300],
            )
            for reason in reasons
        ],
        options=bars([each.title for each in reasons], {"times": [each.count for each in reasons]})
        if reasons
        else None,
        height=height_of(len(reasons)),
        commands=[f"smolville health {quote(run)} --by reason"] if reasons else (),
    )


def _templates(told: Readings) -> ChartData:
    parts = {f"{step} @ {version}": part for (step, version), part in told.templates.items()}
    note = "If a template was edited during the run, its versions are listed side by side."
    title = "How steps ended, by template version"
    return _outcomes("templates", title, "Template", parts, (), note)


def _mean(part: Counts) -> float:
    return part.milliseconds / part.recorded if part.recorded else 0.0


def _ended_by_hour(told: Sequence[Hour], start: date | None) -> ChartData:
    """Return the outcomes of steps by hour."""
    drawn = told[-MOST_HOURS:]
    series = {outcome: [hour.outcomes[outcome] for hour in drawn] for outcome in OUTCOMES}
    return ChartData(
        key="hours",
        title="How steps ended, hour by hour",
        note="Town hours, from the first in which anything was asked."
        + (f" The last {MOST_HOURS} are drawn." if len(told) > MOST_HOURS else ""),
        head=("Hour", "Steps", *OUTCOMES, "odd"),
        rows=[
            (
                format_hour(hour.hour, start),
                f"{hour.steps:,}",
                *(f"{hour.outcomes[each]:,}" for each in OUTCOMES),
                f"{hour.odd:,}",
            )
            for hour in told
        ],
        options=columns([format_hour(hour.hour, start) for hour in drawn], series),
        height=300,
    )


def _asked_by_hour(told: Sequence[Hour], start: date | None) -> ChartData:
    """Return the number of calls in each hour."""
    drawn = told[-MOST_HOURS:]
    return ChartData(
        key="asked",
        title="Calls, hour by hour",
        note="Every request that was recorded, with its tokens and its time in the table.",
        head=("Hour", "Calls", "Prompt tokens", "Completion tokens", "Milliseconds"),
        rows=[
            (
                format_hour(hour.hour, start),
                f"{hour.calls:,}",
                f"{hour.prompt_tokens:,}",
                f"{hour.completion_tokens:,}",
                f"{hour.milliseconds:,.0f}",
            )
            for hour in told
        ],
        options=columns(
            [format_hour(hour.hour, start) for hour in drawn], {"calls": [h.calls for h in drawn]}
        ),
        height=260,
    )


def format_hour(hour: int, start: date | None) -> str:
    """Return an hour of a run: `Tue 14:00`, and after the first week `Tue 14 May 14:00`."""
    days, time = hour // 24, clock(hour % 24 * 60)
    if start is None:
        return f"day {days + 1} {time}"
    day = start + timedelta(days=days)
    return f"{day:%a} {time}" if days < DAYS_OF_WEEK else f"{day:%a} {day.day} {day:%b} {time}"
