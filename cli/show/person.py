"""One person at a glance, the persona, and plans."""

from collections.abc import Iterator
from dataclasses import asdict

from rich.console import RenderableType

from smolville.agents.mind import Mind
from smolville.agents.plan import Block, ChangedHour, DayPlan, block_at, changed_hours
from smolville.agents.times import clock, date_text, day_of, minute_of, moment
from smolville.agents.wording import format_count
from smolville.cli.show.town import doing, plain_presence
from smolville.cli.tables import Page, grid
from smolville.graphs.frame import format_duties, format_habits, life_of
from smolville.graphs.sense import ENGLISH
from smolville.history.counts import Counts
from smolville.lab.styled import Text
from smolville.prompts.folder import language_of
from smolville.reports.health import count_run, format_kinds, plain_line
from smolville.reports.present import mind_of, presence
from smolville.reports.runs import OpenRun

HOURS_AHEAD = 5
"""Maximum number of plan entries shown on the card."""
TOLD = ("innate", "learned", "lifestyle", "daily_requirement", "home", "work")
"""The texts of a persona that are shown."""


def card_view(run: OpenRun, name: str) -> Page:
    """Return one agent at a glance: place, action, the plan ahead, habits, and numbers."""
    with run.reader.snapshot():
        here = presence(run.reader, run.town.map, run.tick, name)
        persona, mind = run.persona(name), mind_of(run.reader, name, run.tick)
        counts = count_run(run.reader).of_agents.get(name, Counts.summed(()))
        memories = len(run.reader.memories(name, run.tick))
        talks = len(run.reader.talks(name, until=run.tick))
        language = language_of(run.reader.templates_at(run.tick))
    currently = mind.currently if mind else persona.currently
    requirement = mind.requirement if mind else persona.daily_requirement
    plan = mind.plan if mind else None
    gathered, unrated = (mind.gathered, len(mind.unrated)) if mind else (0, 0)
    habits = duties = None
    if run.start_date is not None:
        # Today's habits and duties, as the planning steps would read them.
        date = date_text(run.start_date, day_of(run.at))
        life = life_of(persona.habits, date, is_english=language in ENGLISH)
        habits, duties = format_habits(life), format_duties(life.duties)
    head = Text.assemble(
        (persona.name, "bold"),
        f", {persona.age}, {persona.innate}",
        (f" · {run.format_time(run.at)}", "dim"),
    )
    hours = plan.hours if plan and _now_of(run, plan) else ()
    ahead = [each for each in hours if each.start > minute_of(run.at)]
    ends = ", ".join(f"{number} {end}" for end, number in counts.outcomes.items())
    odd = f"; objected to: {format_kinds(counts.odd_kinds)}" if counts.odd else ""
    rows = [
        ("now", doing(here) + (f" · {here.place}" if here.place else "")),
        *(
            ("" if number else "then", f"{each.span()}  {each.activity}")
            for number, each in enumerate(ahead[:HOURS_AHEAD])
        ),
        ("currently", currently),
        ("today", requirement),
        *((key, text) for key, text in (("habits", habits), ("duties", duties)) if text),
        ("home, work", " · ".join(filter(None, (persona.home, persona.work)))),
        (
            "memory",
            f"{format_count(memories, 'memory', 'memories')}, {unrated} not rated yet, "
            f"{format_count(talks, 'talk')}",
        ),
        (
            "reflection",
            f"next once {persona.reflection_threshold} of importance has gathered: "
            f"{gathered:g} so far",
        ),
        ("steps", f"{counts.steps} in {counts.calls} calls"),
        ("answers", f"{ends}{odd}"),
    ]
    table = grid("dim")
    for row in rows:
        table.add_row(*row)
    data = {
        **plain_presence(here),
        "time": moment(run.at),
        **{key: text for key, text in rows if key},
        "plan": [_plain_block(block) for block in plan.hours] if plan else [],
        "counts": plain_line(counts),
    }
    return Page(data, [head, Text(), table])


def persona_view(run: OpenRun, name: str) -> Page:
    """Return somebody's persona."""
    persona = run.persona(name)
    table = grid("dim")
    for field in TOLD:
        if text := getattr(persona, field):
            table.add_row(field.replace("_", " "), Text(text))
    head = Text.assemble((persona.name, "bold"), f", {persona.age}")
    return Page(persona.model_dump(mode="json"), [head, Text(), table])


def plan_view(run: OpenRun, name: str) -> Page:
    """Return an agent's plan of the day: each hour with its subtasks; the present one is marked."""
    mind = mind_of(run.reader, name, run.tick)
    plan = mind.plan if mind else None
    data = _plain_plan(run, name, mind)
    if plan is None:
        return Page(data, [Text(f"{name} has no plan yet.", style="dim")])
    up = (f" · up at {clock(plan.wake)}", "dim")
    head = Text.assemble((name, "bold"), f" · plan for {run.day(86_400 * (plan.day - 1))}", up)
    parts: list[RenderableType] = [
        head,
        Text(f"Today must hold: {data['requirement']}", style="dim"),
        Text(),
    ]
    now = _now_of(run, plan)
    part = ""
    for block in plan.blocks:
        if block.part_of and block.part_of != part:
            parts.append(Text(f"              {block.part_of}", style="dim italic"))
        part = block.part_of
        parts.append(_line(block, is_now=block == now))
    if changed := changed_hours(plan):
        parts += [Text(), Text("Planned otherwise in the morning:", style="dim")]
        for hour in changed:
            parts += [_line(hour.planned, is_now=False), *_became(hour)]
    return Page(data, parts)


def plans_view(run: OpenRun) -> Page:
    """Return everybody's plan of the day by the hour, with what replaced an hour."""
    people, parts = [], list[RenderableType]()
    for name in run.reader.agents():
        mind = mind_of(run.reader, name, run.tick)
        people.append(_plain_plan(run, name, mind))
        parts += [Text()] if parts else []
        plan = mind.plan if mind else None
        if plan is None:
            parts.append(Text(f"{name} has no plan yet.", style="dim"))
            continue
        day = run.day(86_400 * (plan.day - 1))
        parts.append(Text.assemble((name, "bold"), f" · plan for {day}"))
        changed = {hour.planned.start: hour for hour in changed_hours(plan)}
        now = _now_of(run, plan)
        for hour in plan.hours:
            parts.append(_line(hour, is_now=bool(now and hour.start <= now.start < hour.end)))
            if hour.start in changed:
                parts += _became(changed[hour.start])
    return Page({"people": people}, parts)


def _plain_plan(run: OpenRun, name: str, mind: Mind | None) -> dict[str, object]:
    plan = mind.plan if mind else None
    if mind is None or plan is None:
        return {"name": name, "plan": None}
    return {
        "name": name,
        "day": plan.day,
        "wake": clock(plan.wake),
        "requirement": mind.requirement,
        "strokes": [
            {"start": clock(start), "activity": activity} for start, activity in plan.strokes
        ],
        "hours": [_plain_block(block) for block in plan.hours],
        "blocks": [_plain_block(block) for block in plan.blocks],
        "changed": [
            {
                "planned": _plain_block(hour.planned),
                "became": [_plain_block(block) for block in hour.became],
            }
            for hour in changed_hours(plan)
        ],
    }


def _plain_block(block: Block) -> dict[str, object]:
    return {**asdict(block), "start": clock(block.start), "end": clock(block.end)}


def _now_of(run: OpenRun, plan: DayPlan) -> Block | None:
    """Return the block that holds the watermark; None when the plan is for another day."""
    if day_of(run.at) != plan.day or not plan.blocks:
        return None
    return block_at(plan.blocks, minute_of(run.at))


def _became(hour: ChangedHour) -> Iterator[Text]:
    for block in hour.became:
        yield Text(f"      → {block.span()}  {block.activity}", style="yellow")


def _line(block: Block, *, is_now: bool) -> Text:
    indent = "  " if block.part_of else ""
    spot = block.spot
    line = Text(no_wrap=False)
    line.append("▸ " if is_now else "  ", "cyan")
    line.append(block.span(), "bold cyan" if is_now else "cyan" if not indent else "dim")
    line.append(f"  {indent}{block.activity}", "bold" if is_now else "")
    if block.source:
        line.append(f" ({block.source})", "dim")
    if block.fallback or (spot and spot.fallback):
        line.append(" (fallback)", "yellow")
    if spot and spot.nowhere:
        line.append(" (nowhere)", "yellow")
    if spot is not None:
        line.append(f"  {spot.place}", "dim")
        line.append(f" {spot.emoji}")
    return line
