"""Writes the part of `docs/a-real-day.md` about the recording, from the recording itself."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.real_figures import RealDay, real_day
from smolville.agents.chance import draw
from smolville.agents.times import clock
from smolville.agents.wording import percent, visible
from smolville.history.sample import SAMPLE
from smolville.models.spec import parse_spec
from smolville.reports.health import (
    format_answers,
    format_calls,
    format_kinds,
    format_oddities,
)
from smolville.reports.runs import OpenRun, describe_recording, opened_run
from smolville.reports.story import write_story
from smolville.reports.tally import Hour, hours

PAGE = Path(__file__).parents[1] / "docs" / "a-real-day.md"
BEGIN = "<!-- recording: begin (written by benchmarks/sample.py) -->"
END = "<!-- recording: end -->"
MOST_ODD = 12
"""Maximum number of odd answers on the page."""
MOST_LINES = 60
"""Maximum number of lines of the story on the page."""
PLACEHOLDER = (
    "**This recording is a placeholder:** no model thought in it. It shows what this page tells; "
    "of small models it says nothing."
)


def write_page(page: Path = PAGE) -> None:
    """Write the part of the page between the marks again; the rest stays unchanged."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n\n{told()}\n{END}{after}", encoding="utf-8")


def told() -> str:
    """Return the page's text about the shipped recording, in Markdown."""
    with opened_run(Path(SAMPLE), SAMPLE) as run, run.reader.snapshot():
        day = real_day(run)
        parts = (
            _about(run),
            _health(day),
            _sense(day),
            _oddities(run),
            _hours(hours(run.reader, run.tick)),
            _story(run),
        )
        return visible("\n".join(line for part in parts for line in (*part, "")))


def _about(run: OpenRun) -> Iterator[str]:
    """Yield lines on which day it is, and how it was recorded."""
    spec = run.folder.spec
    made = spec.created.partition("T")[0]
    version = spec.versions["smolville"]
    yield f"{describe_recording(run.folder)} Made on {made} with Smolville {version}"
    yield f"(model `{spec.models.fast}`, memories compared by `{spec.models.embedder}`,"
    yield f"seed {spec.seed}, {spec.settings.get('repairs')} repairs)."
    if {parse_spec(each).kind for each in (spec.models.fast, spec.models.strong)} == {"standin"}:
        yield ""
        yield PLACEHOLDER


def _health(day: RealDay) -> Iterator[str]:
    """Yield lines on the outcomes of steps, in total and by step."""
    whole = day.total
    yield "## How the answers were"
    yield ""
    for sentence in (format_answers(whole), format_oddities(whole)):
        if sentence:
            yield sentence
    yield format_calls(whole)
    yield ""
    yield "| step | steps | clean | mended | repaired | fallback | odd |"
    yield "|---|---:|---:|---:|---:|---:|---|"
    for step, each in day.steps.items():
        ends = (each.outcomes.get(end, 0) for end in ("clean", "mended", "repaired", "fallback"))
        cells = (f"`{step}`", each.steps, *ends, format_kinds(each.odd_kinds) or "·")
        yield f"| {' | '.join(map(str, cells))} |"


def _sense(day: RealDay) -> Iterator[str]:
    """Yield lines on whether the day makes sense as a whole."""
    figures = day.plain()
    yield "## The day as a whole"
    yield ""
    names = {"wake": "Woke up", "bed": "Went to bed", "meals": "Meals eaten"}
    for name, kept in day.kept.items():
        yield f"- {names[name]} within two hours of the habit: {kept.at_its_hour} of {kept.of}."
        yield from (f"    - {each}" for each in kept.off)
    yield f"- Memories, lines, plans and answers equal to a shown example: {len(day.copied)}."
    yield f"- Talks in which a line is said again: {day.repeating} of {day.talks}."
    yield f"- Reply tokens an agent-day: {figures['reply_tokens_per_agent_day']:,}, of them"
    yield f"  {figures['history_reply_tokens_per_agent_day']:,} for the persona's past."
    if day.beginnings.share is not None:
        share = percent(day.beginnings.cached, day.beginnings.possible)
        yield f"- Of the longest beginnings that first attempts share with earlier prompts, {share}"
        yield "  came from the server's cache."


def _oddities(run: OpenRun) -> Iterator[str]:
    """Yield odd answers; if there are many, a selection by hash."""
    odd = [each for each in run.reader.steps(until=run.tick) if each.odd]
    if not odd:
        return
    some = sorted(odd, key=lambda each: draw("told", each.owner, each.tick, each.step))[:MOST_ODD]
    yield "## What is odd"
    yield ""
    drawn = f", {len(some)} of {len(odd)} drawn by hash" if len(some) < len(odd) else ""
    yield f"Answers that were accepted and marked{drawn}:"
    yield ""
    for each in sorted(some, key=lambda each: each.tick):
        when = run.format_time(each.tick * run.folder.spec.tick_seconds)
        yield f"- {each.agent}, {when}, `{each.step}`: {' '.join(each.odd[0].split())}"


def _hours(lived: Sequence[Hour]) -> Iterator[str]:
    """Yield lines on the cost of each town hour."""
    yield "## What each town hour took"
    yield ""
    yield "Model time is summed over calls; calls that were in flight together count each."
    yield ""
    yield "| hour | steps | odd | fallback | calls | reply tokens | model minutes |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for each in lived:
        if each.steps or each.calls:
            cells = (
                *(clock(each.hour % 24 * 60), each.steps, each.odd),
                *(each.outcomes.get("fallback", 0), each.calls, f"{each.completion_tokens:,}"),
                f"{each.milliseconds / 60_000:.1f}",
            )
            yield f"| {' | '.join(map(str, cells))} |"


def _story(run: OpenRun) -> Iterator[str]:
    """Yield the beginning of the story, without the title that it has as a separate page."""
    lines = write_story(run.reader, run.start_date, None).splitlines()
    yield "## How it was lived"
    yield ""
    yield f"The whole story: `smolville timeline {SAMPLE}`. It begins:"
    yield ""
    # Headings one level deeper, beneath this page's own.
    for line in lines[2:MOST_LINES]:
        yield f"#{line}" if line.startswith("#") else line
