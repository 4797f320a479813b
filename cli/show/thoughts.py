"""An agent's thoughts with the outcomes of their steps, talks in full, and interviews."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict

from rich.console import RenderableType

from smolville.agents.times import clock, minute_of, moment
from smolville.agents.wording import format_count
from smolville.cli.tables import Page, grid, to_the_minute
from smolville.graphs.loop.ledger import StepRecord
from smolville.history.inbox import read_interviews
from smolville.history.records import ThoughtRow
from smolville.lab.styled import Text
from smolville.lab.tracing.listing import thought_digits
from smolville.reports.runs import OpenRun

STYLES = {
    "fallback": "yellow",
    "odd": "yellow",
    "repaired": "cyan",
    "escalated": "cyan",
    "mended": "dim",
    "clean": "green",
}
"""Style of an outcome; if several apply, the first one counts."""


def thoughts_view(run: OpenRun, name: str) -> Page:
    """Return an agent's thoughts up to the watermark, with the steps of its own thoughts."""
    with run.reader.snapshot():
        thoughts = run.reader.thoughts(name, until=run.tick)
        steps: defaultdict[int, list[StepRecord]] = defaultdict(list)
        for step in run.reader.steps(name, until=run.tick):
            if step.owner == name:
                steps[step.tick].append(step)
    data = [
        {
            "id": thought_digits(row.agent, row.tick),
            "tick": row.tick,
            "at": row.at,
            "time": moment(row.at),
            "stimuli": list(row.stimuli),
            "nodes": list(row.path),
            "intent": row.intent,
            "failed": row.failed,
            "milliseconds": round(row.milliseconds, 3),
            "steps": [
                {
                    "step": step.step,
                    "ordinal": step.ordinal,
                    "outcome": step.outcome,
                    "attempts": step.attempts,
                    "problems": list(step.problems),
                    "odd": list(step.odd),
                    "odd_kinds": list(step.odd_kinds),
                }
                for step in steps[row.tick]
            ],
        }
        for row in thoughts
    ]
    table = grid("cyan")
    table.columns[0].justify = "right"
    for row in thoughts:
        table.add_row(to_the_minute(row.at), _thought(row, steps[row.tick]))
    head = Text.assemble((name, "bold"), f" · {format_count(len(thoughts), 'thought')}")
    return Page(data, [head, Text(), table])


def _thought(row: ThoughtRow, steps: Iterable[StepRecord]) -> Text:
    line = Text(f"{', '.join(_times(row.stimuli))}: ", style="dim")
    digits = thought_digits(row.agent, row.tick)
    if row.failed:
        return line.append(f"failed: {row.failed}", "red").append(f"  {digits}", "dim")
    line.append(row.intent or "goes on as before", "not dim")
    line.append(f"\n{' → '.join(row.path)}  {digits}", "dim")
    for number, how in enumerate(_times(map(_describe_ending, steps))):
        style = next(STYLES[end] for end in STYLES if f" {end}" in how)
        line.append(" · " if number else "\n", "dim").append(how, f"not dim {style}")
    return line


def _describe_ending(step: StepRecord) -> str:
    calls = f" in {step.attempts} calls" if step.attempts > 1 else ""
    odd = f", odd ({', '.join(dict.fromkeys(step.odd_kinds))})" if step.odd_kinds else ""
    return f"{step.step} {step.outcome}{calls}{odd}"


def _times(items: Iterable[str]) -> list[str]:
    return [f"{item} ×{count}" if count > 1 else item for item, count in Counter(items).items()]


def talks_view(run: OpenRun, name: str) -> Page:
    """Return an agent's talks up to the watermark, each as a dialogue."""
    talks = run.reader.talks(name, until=run.tick)
    parts: list[RenderableType] = [Text.assemble((name, "bold"), f" · {len(talks)} talks")]
    for talk in talks:
        place = f" · {talk.place}" if talk.place else ""
        span = f"{run.format_time(talk.start)} to {clock(minute_of(talk.end))}"
        with_whom = (f"with {' and '.join(talk.others(name))}", "bold")
        lines = grid("cyan")
        for line in talk.lines:
            text = Text(line.text)
            if line.fallback:
                text.append(" (fallback)", "yellow")
            lines.add_row(line.speaker, text)
        end = Text(f"ended by {talk.ended_by or 'the cap'}", style="dim")
        parts += [Text(), Text.assemble(with_whom, f" · {span}{place}"), lines, end]
    data = [
        {**asdict(talk), "start": moment(talk.start), "end": moment(talk.end)} for talk in talks
    ]
    return Page(data, parts)


def interviews_view(run: OpenRun, name: str | None = None) -> Page:
    """Return the questions and answers of interviews with an agent, or with everybody."""
    asked = read_interviews(run.folder, name)
    count = format_count(len(asked), "interview question")
    parts: list[RenderableType] = [Text.assemble((name or run.folder.name, "bold"), f" · {count}")]
    for each in asked:
        lines = grid("cyan")
        lines.add_row(each.asker, Text(each.question))
        lines.add_row(each.agent, Text(each.answer))
        parts += [Text(), Text(run.format_time(each.at), style="dim"), lines]
    data = [{**asdict(each), "time": moment(each.at)} for each in asked]
    return Page(data, parts)
