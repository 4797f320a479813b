"""What an agent carries: memories, known places, others, knowledge, goals, needs, routines."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import get_args

from rich.console import RenderableType
from rich.table import Table
from rich.tree import Tree

from smolville.agents.memory import MemoryKind
from smolville.agents.mind import Impression, KnownPlace, Mind
from smolville.agents.needs import MOST, NeedsRow, is_high, is_urgent
from smolville.agents.persona import Persona
from smolville.agents.places import sector_of, split_address
from smolville.agents.routines import BROUGHT
from smolville.agents.times import at_of, clock, day_of, minute_of, moment
from smolville.agents.wording import format_count
from smolville.cli.show.town import doing, plain_presence
from smolville.cli.tables import Page, grid, to_the_minute
from smolville.graphs.knowledge import Fact, facts_of, sizes
from smolville.history.moments import needs_of
from smolville.lab.styled import Text
from smolville.reports.present import in_sight, mind_of, presences
from smolville.reports.runs import OpenRun
from smolville.world.routine_library import count_routines, learnt

KINDS: tuple[str, ...] = get_args(MemoryKind)
MOST_FACTS = 8
"""Maximum number of facts shown per name, the latest ones; the JSON output has all."""
_BLOCKS = "▁▂▃▄▅▆▇█"


def memories_view(run: OpenRun, name: str, kind: str | None = None) -> Page:
    """Return an agent's memories, all or of one kind, with the memories that are their evidence.

    If only one kind is shown, the evidence is shown below each memory, else its number.
    """
    memories = run.reader.memories(name, run.tick)
    chosen = [each for each in memories if kind in (None, each.kind)]
    texts = {each.id: each.text for each in memories}
    numbers = {each.id: number for number, each in enumerate(memories, 1)}
    table = Table.grid(padding=(0, 2))
    for style in ("dim", "dim", "cyan", "dim"):
        table.add_column(style=style, no_wrap=True, justify="right")
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for each in chosen:
        text = Text(each.text)
        if each.strength > 1:
            text.append(f"  ×{each.strength}", "dim")
        based = [one for one in each.evidence if one in numbers]
        if kind is not None:
            for one in based:
                text.append(f"\n  because of #{numbers[one]}: {texts[one]}", "dim")
        elif based:
            text.append(f"  because of {', '.join(f'#{numbers[one]}' for one in based)}", "dim")
        seen = f"seen {to_the_minute(each.accessed)}"
        number, made = f"#{numbers[each.id]}", to_the_minute(each.created)
        weight = f"{'~' if each.importance is None else ''}{each.weight:g}"
        table.add_row(number, made, weight, seen, each.kind, text)
    what = f"{kind} memories" if kind else "memories"
    head = Text.assemble((name, "bold"), f" · {len(chosen)} {what}")
    note = Text("importance marked ~ is provisional, not rated yet", style="dim")
    data = [
        {
            **asdict(each),
            "time": moment(each.created),
            "importance": each.weight,
            "provisional": each.importance is None,
        }
        for each in chosen
    ]
    return Page(data, [head, note, Text(), table])


def places_view(run: OpenRun, name: str) -> Page:
    """Return where an agent is, who is in sight, and the places that the agent knows."""
    with run.reader.snapshot():
        people = presences(run.reader, run.town.map, run.tick)
        mind = mind_of(run.reader, name, run.tick)
        here = next(each for each in people if each.name == name)
        near = in_sight(people, name, run.persona(name).vision)
    known = dict(sorted(mind.places.items())) if mind else {}
    data = {
        **plain_presence(here),
        "near": list(near),
        "known": [{"address": address, **asdict(place)} for address, place in known.items()],
    }
    where = f"tile {here.tile[0]},{here.tile[1]}" if here.tile else "nowhere yet"
    head = Text.assemble((name, "bold"), f" · {where} · {here.place} · {doing(here)}")
    sight = f"in sight: {', '.join(near)}" if near else "nobody in sight"
    tree = Tree(Text(f"knows {len(known)} places", style="dim"), guide_style="dim")
    branches: dict[str, Tree] = {}
    for address, place in known.items():
        sector = sector_of(address)
        if sector not in branches:
            branches[sector] = tree.add(Text(sector, style="bold"))
        branches[sector].add(_room(address, place))
    return Page(data, [head, Text(sight), Text(), tree])


def _room(address: str, place: KnownPlace) -> Text:
    states = dict(place.states)
    room = Text(": ".join(split_address(address)[1:]) or "everywhere")
    things = [f"{each} ({states[each]})" if each in states else each for each in place.objects]
    if things:
        room.append(f"  {', '.join(things)}", "dim")
    seen = f"seen {to_the_minute(place.seen)}" if place.seen >= 0 else "not seen yet"
    return room.append(f"  {seen}", "cyan")


def social_view(run: OpenRun, name: str) -> Page:
    """Return what an agent thinks of everybody it knows, first of those it has talked with."""
    persona, mind = run.persona(name), _mind(run, name)
    met = (*mind.impressions, *mind.talked, *mind.considered, *persona.relationships)
    others = list(dict.fromkeys(met))
    table = grid("bold")
    for other in others:
        lines = _social_lines(persona, mind, other)
        table.add_row(other, Text("\n").join([Text(text, style) for text, style in lines]))
    head = Text.assemble((name, "bold"), f" · {len(others)} people")
    data = [
        {
            "name": other,
            "at_first": persona.relationships.get(other, ""),
            **asdict(mind.impressions.get(other) or Impression(relationship="")),
        }
        for other in others
    ]
    return Page({"name": name, "others": data}, [head, Text(), table])


def _mind(run: OpenRun, name: str) -> Mind:
    """Return an agent's mind as of the watermark; an empty one before its first thought."""
    found = mind_of(run.reader, name, run.tick)
    return found or Mind(name=name, currently="", requirement="")


def _social_lines(persona: Persona, mind: Mind, other: str) -> Iterator[tuple[str, str]]:
    seen = mind.impressions.get(other)
    known = persona.relationships.get(other, "")
    yield (seen.relationship if seen else known) or "not known yet", ""
    if seen is not None:
        yield seen.feeling, "italic"
        yield f"{format_count(seen.talks, 'talk')}; last: {seen.summary}", "dim"
        for at, told in reversed(seen.shared):
            yield f"{to_the_minute(at)}: {told}", "dim"
        if seen.closeness is not None:
            first, *later = (f"{value:.2f}" for _, value in seen.course)
            course = " → ".join((first, *(("…",) if len(later) > 5 else ()), *later[-5:]))
            yield f"closeness {seen.closeness:.2f} ({course})", "cyan"
    whens = (("last talked", mind.talked), ("last considered", mind.considered))
    moments = [f"{what} {to_the_minute(when[other])}" for what, when in whens if other in when]
    if moments:
        yield ", ".join(moments), "cyan"


def knowledge_view(run: OpenRun, name: str) -> Page:
    """Return an agent's knowledge graph: the names with the most facts, each with its facts."""
    facts = facts_of(run.persona(name), run.reader.memories(name, run.tick))
    count = sizes(facts)
    data = {
        "name": name,
        **count,
        "facts": [
            {**asdict(each), "time": None if each.at < 0 else moment(each.at)} for each in facts
        ],
    }
    names, relations = (format_count(count[f"{each}s"], each) for each in ("name", "relation"))
    head = Text.assemble((name, "bold"), f" · knows {names}, {relations}")
    tree = Tree(Text("by how much is known", style="dim"), guide_style="dim")
    known = Counter(fact.subject for fact in facts)
    for subject, _ in sorted(known.items(), key=lambda each: (-each[1], each[0])):
        branch = tree.add(Text(subject, style="bold"))
        for line in _facts_about(subject, facts):
            branch.add(line)
    return Page(data, [head, Text(), tree])


def _facts_about(subject: str, facts: Sequence[Fact]) -> Iterator[Text]:
    """Yield the facts about a name, each once, the latest first."""
    said = Counter((fact.relation, fact.object) for fact in facts if fact.subject == subject)
    last = {(fact.relation, fact.object): fact.at for fact in facts}
    order = sorted(said, key=lambda each: (-last[each], each))
    for relation, thing in order[:MOST_FACTS]:
        at, times = last[relation, thing], said[relation, thing]
        line = Text(f"{relation} → {thing}" if thing else relation)
        repeated = f", {times} times" if times > 1 else ""
        yield line.append("  at first" if at < 0 else f"  {to_the_minute(at)}{repeated}", "dim")
    if len(order) > MOST_FACTS:
        yield Text(f"and {len(order) - MOST_FACTS} more", style="dim")


def goals_view(run: OpenRun, name: str) -> Page:
    """Return an agent's goals, then each revision as a difference with its reason."""
    mind = _mind(run, name)
    ids = [memory for each in mind.goal_changes for memory in each.because]
    texts = run.reader.memory_texts(ids)
    lines = [Text.assemble((name, "bold"), " · goals")]
    lines += [Text.assemble((moment(goal.since), "dim"), f"  {goal.text}") for goal in mind.goals]
    if not mind.goals:
        lines.append(Text("none now", style="dim"))
    for each in mind.goal_changes:
        lines += [Text(), Text.assemble((moment(each.at), "cyan"), f"  {each.kind}")]
        parts = (
            ("- ", each.before, "red"),
            ("+ ", each.after, "green"),
            ("  ", each.reason, "italic"),
            *(("  because of: ", texts.get(memory, memory), "dim") for memory in each.because),
        )
        lines += [Text(f"{sign}{text}", style=style) for sign, text, style in parts if text]
    data = {
        "name": name,
        "goals": [{**asdict(each), "time": moment(each.since)} for each in mind.goals],
        "changes": [{**asdict(each), "time": moment(each.at)} for each in mind.goal_changes],
    }
    return Page(data, lines)


def needs_view(run: OpenRun, name: str) -> Page:
    """Return one person's needs at the full hours of today and now, as a curve and a table."""
    needs = run.persona(name).needs
    rows = needs_of(run.reader.connection, name, until=run.tick)
    now = max(0, run.at - 1)
    full = [at_of(day_of(now), 60 * hour) for hour in range(24)]
    moments = [*(each for each in full if each < now), now]
    hours = [(at, levels) for at in moments if (levels := levels_at(rows, at))]
    data = {
        "name": name,
        "bounds": {need: needs.of(need).bound for need in needs.had()},
        "hours": [
            {"time": moment(at), **{need: round(level, 1) for need, level in levels.items()}}
            for at, levels in hours
        ],
    }
    head = Text.assemble((name, "bold"), f" · {run.format_time(run.at)}")
    if not hours:
        return Page(data, [head, Text("Their needs were left out, or the run has not started.")])
    names = list(hours[-1][1])
    curves, table = Table.grid(padding=(0, 2)), Table.grid(padding=(0, 2))
    for need in names:
        sizes = (int(levels[need] / MOST * len(_BLOCKS)) for _, levels in hours)
        curve = "".join(_BLOCKS[min(len(_BLOCKS) - 1, size)] for size in sizes)
        bound = Text(f"urgent from {needs.of(need).bound:.0f}", style="dim")
        curves.add_row(Text(need, style="bold"), Text(curve), bound)
    table.add_column(style="cyan", no_wrap=True)
    for _ in names:
        table.add_column(justify="right", no_wrap=True)
    table.add_row("", *(Text(need, style="bold") for need in names))
    for at, levels in hours:
        cells = []
        for need in names:
            level, rates = levels[need], needs.of(need)
            high = "yellow" if is_high(level, rates) else ""
            cells.append(Text(f"{level:.0f}", "bold red" if is_urgent(level, rates) else high))
        table.add_row(clock(minute_of(at)), *cells)
    note = Text("by the hour: 0 is met, 100 the most", style="dim")
    parts: list[RenderableType] = [head, note, Text(), curves, Text(), table]
    return Page(data, parts)


def routines_view(run: OpenRun, name: str | None = None) -> Page:
    """Return what somebody, or everybody, does again without asking a model, and how often."""
    people = learnt(run.folder)
    known = people if name is None else {name: people[name]}
    reused = Counter(each.agent for each in run.reader.reuses())
    spec, seconds = run.folder.spec, run.folder.spec.tick_seconds

    def when(start: int, tick: int) -> str:
        day = "another run" if tick == BROUGHT else f"day {day_of(tick * seconds)}"
        return f"  {clock(start)} ({day})  "

    lines: list[RenderableType] = []
    for who, routines in known.items():
        count = f"{count_routines([routines])}, {format_count(reused[who], 'reuse')}"
        lines.append(Text.assemble((who, "bold"), f": {count}"))
        for each in routines.tasks:
            parts = ", ".join(f"{activity} ({minutes})" for activity, minutes in each.tasks)
            lines.append(Text(f"{when(each.start, each.tick)}{each.activity}: {parts}"))
        for spot in routines.spots:
            told = f"{when(spot.start, spot.tick)}{spot.activity} @ {spot.place}"
            lines.append(Text(told, style="dim"))
    data = {
        "similarity": spec.settings.get("routine_similarity"),
        "embedder": spec.models.embedder,
        "people": {who: {**asdict(each), "reused": reused[who]} for who, each in known.items()},
    }
    return Page(data, lines)


def levels_at(rows: Sequence[NeedsRow], at: int) -> dict[str, float]:
    """Return the levels of the needs at a town second, interpolated between two computed rows.

    One activity goes on from row to row, so each level changes linearly unless it reaches 0. After
    the last row, the levels of that row are returned. Before the first row, the dict is empty.
    """
    after = bisect_right(rows, at, key=lambda row: row.at)
    if after == 0:
        return {}
    last = rows[after - 1]
    if after == len(rows) or last.at == at:
        return dict(last.levels)
    following = rows[after]
    share = (at - last.at) / (following.at - last.at)
    return {
        need: level + share * (following.levels.get(need, level) - level)
        for need, level in last.levels.items()
    }
