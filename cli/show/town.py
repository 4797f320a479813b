"""The town at the watermark: who is where, what is unusual, all its places, and one tile."""

import re
from dataclasses import asdict

from rich.console import RenderableType
from rich.table import Table
from rich.tree import Tree

from smolville.agents.entities import HOURS
from smolville.agents.errors import RunError
from smolville.agents.places import OUTDOORS, object_of
from smolville.agents.times import clock, minute_of, moment
from smolville.agents.wording import format_count, visible_line
from smolville.cli.run.summary import format_failures, format_totals
from smolville.cli.tables import Page, grid
from smolville.history.moments import happenings_between
from smolville.history.records import Tile
from smolville.lab.styled import Text
from smolville.reports.health import RunTally, count_run, format_kinds
from smolville.reports.present import (
    Presence,
    UnusualObject,
    objects_on,
    presences,
    standing_on,
    unusual,
)
from smolville.reports.runs import OpenRun, describe_recording
from smolville.reports.stretches import spoken_way

MOST_OBJECTS = 12
"""Maximum number of objects shown on screen; the JSON output has them all."""
_TILE = re.compile(r"\s*\(?\s*(\d{1,5})\s*[,x ]\s*(\d{1,5})\s*\)?\s*")


def town_view(run: OpenRun) -> Page:
    """Return the run at its watermark: its people, its objects and its numbers."""
    spec = run.folder.spec
    with run.reader.snapshot():
        town_map = run.town.map
        goal = run.reader.goal()
        people = presences(run.reader, town_map, run.tick)
        objects = unusual(run.reader, town_map, run.tick)
        numbers = count_run(run.reader)
        failures = [row for row in run.reader.thoughts(until=run.tick) if row.failed]
    until = None if goal is None else moment(goal.at)
    data = {
        "run": spec.name,
        "town": spec.town_name,
        "state": run.state(),
        "at": run.at,
        "time": moment(run.at),
        "goal": until,
        "models": {"fast": spec.models.fast, "strong": spec.models.strong},
        "agents": [plain_presence(each) for each in people],
        "objects": [{**asdict(each.state), "since": moment(each.at)} for each in objects],
        "numbers": numbers.plain(),
    }
    head = Text.assemble(
        (spec.name, "bold cyan"),
        f" · {spec.town_name} · ",
        (run.format_time(run.at), "bold"),
        (f" · {run.state()}{f', goal {until}' if until else ''}", "dim"),
    )
    parts: list[RenderableType] = [head]
    if run.folder.is_sample:
        parts.append(Text(describe_recording(run.folder), style="dim"))
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(style="dim", ratio=4)
    table.add_column(style="dim", no_wrap=True, justify="right")
    table.add_column(ratio=5)
    for each in people:
        end = f"until {clock(minute_of(each.action.end))}" if each.action else ""
        table.add_row(each.name, each.place, end, doing(each))
    parts += [Text(), table, Text()]
    if objects:
        parts += [_objects(objects), Text()]
    parts += [_answers(numbers), Text(format_totals(numbers), style="dim")]
    if failures:
        parts.append(Text(visible_line(format_failures(failures, run.folder)), style="red"))
    return Page(data, parts)


def _objects(objects: list[UnusualObject]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    table.add_column(style="dim")
    for each in objects[:MOST_OBJECTS]:
        since = f"since {clock(minute_of(each.at))}, {each.state.by or 'from outside'}"
        table.add_row(each.state.address, f"{each.state.state} {each.state.emoji}", since)
    if (more := len(objects) - MOST_OBJECTS) > 0:
        table.add_row(f"and {more} more", "", "")
    return table


def _answers(numbers: RunTally) -> Text:
    total = numbers.total
    if not total.steps:
        return Text("No step was asked yet.", style="dim")
    repaired = total.outcomes.get("repaired", 0) + total.outcomes.get("escalated", 0)
    fallbacks = total.outcomes.get("fallback", 0)
    return Text.assemble(
        f"{total.calls} calls for {total.steps} steps · ",
        f"{total.outcomes.get('clean', 0)} clean · {total.outcomes.get('mended', 0)} mended · ",
        f"{repaired} repaired · ",
        (f"{fallbacks} fallbacks", "yellow" if fallbacks else ""),
        (f" · {total.odd} odd ({format_kinds(total.odd_kinds)})", "yellow") if total.odd else "",
        (f" · {numbers.failed} failed thoughts", "red") if numbers.failed else "",
    )


def doing(each: Presence) -> str:
    """Return what an agent does, in words."""
    if each.action is None:
        return "has not begun"
    mark = " (fallback)" if each.action.fallback else ""
    way = f"on the way {spoken_way(*each.way)}, for " if each.way else ""
    return f"{way}{each.action.activity}{mark} {each.action.emoji}"


def plain_presence(each: Presence) -> dict[str, object]:
    """Return an agent's place and action as plain data."""
    return {
        "name": each.name,
        "tile": None if each.tile is None else list(each.tile),
        "place": each.place,
        "walking": each.is_walking,
        "way": None if each.way is None else list(each.way),
        "talking": each.is_talking,
        "action": None if each.action is None else asdict(each.action),
    }


def tile_view(run: OpenRun, text: str) -> Page:
    """Return what is on the tile written as `X,Y`; raises RunError if it is not on the map."""
    tile = _read_tile(text)
    town_map = run.town.map
    if tile not in town_map.frame:
        raise RunError(
            f"--tile {text!r} is not on the map; columns go from 0 to {town_map.width - 1}, "
            f"rows from 0 to {town_map.height - 1}."
        )
    with run.reader.snapshot():
        objects = objects_on(town_map, tile, run.reader.object_states(run.tick))
        people = standing_on(presences(run.reader, town_map, run.tick), tile)
    is_walkable, place = town_map.is_walkable(tile), town_map.arena_at(tile)
    data = {
        "tile": list(tile),
        "walkable": is_walkable,
        "place": place,
        "objects": [{"address": a, "state": state} for a, state in objects.items()],
        "agents": [plain_presence(each) for each in people],
    }
    table = grid("dim")
    walkable = "one can walk here" if is_walkable else "blocked"
    table.add_row("tile", Text(f"{tile[0]},{tile[1]} · {walkable}", style="bold"))
    table.add_row("place", place)
    for address, state in objects.items():
        table.add_row("object", f"{address}: {state}")
    for each in people:
        table.add_row("here", f"{each.name}: {doing(each)}")
    return Page(data, [table])


def _read_tile(text: str) -> Tile:
    found = _TILE.fullmatch(text)
    if found is None:
        raise RunError(f"--tile cannot be {text!r}: write column and row, as 34,12.")
    return int(found[1]), int(found[2])


def tree_view(run: OpenRun) -> Page:
    """Return every place of the town, with the state of each object and who is there."""
    with run.reader.snapshot():
        town_map = run.town.map
        changed = run.reader.object_states(run.tick)
        everybody = presences(run.reader, town_map, run.tick)

    def people_in(place: str) -> list[str]:
        return [each.name for each in everybody if each.place == place]

    data: dict[str, dict[str, object]] = {}
    tree = Tree(Text(run.folder.spec.town_name, style="bold cyan"), guide_style="dim")
    for sector in town_map.sectors:
        house, data[sector] = tree.add(Text(sector, style="bold")), {}
        for arena in town_map.arenas_in(sector):
            people = people_in(arena.address)
            line = Text(arena.name)
            if people:
                line.append(f"  {', '.join(people)}", "cyan")
            room, states = house.add(line), {}
            for thing in town_map.objects_in(arena.address):
                is_changed = thing.address in changed
                state = changed[thing.address].state if is_changed else thing.idle_state
                states[thing.name] = state
                style = "dim" if state == thing.idle_state else "bold"
                room.add(Text.assemble(object_of(thing.address), (f"  {state}", style)))
            data[sector][arena.address] = {"objects": states, "people": people}
    outdoors = people_in(OUTDOORS)
    if outdoors:
        tree.add(Text.assemble((OUTDOORS, "bold"), (f"  {', '.join(outdoors)}", "cyan")))
    data[OUTDOORS] = {OUTDOORS: {"objects": {}, "people": outdoors}}
    return Page(data, [Text(run.format_time(run.at), style="bold"), tree])


def entities_view(run: OpenRun) -> Page:
    """Return the happenings of the world and the plot, and how the steps behind them ended."""
    with run.reader.snapshot():
        made = happenings_between(run.reader.connection, until=run.tick)
    outcomes = {
        (step.owner, step.tick): step.outcome
        for name in HOURS
        for step in run.reader.steps(name, until=run.tick)
    }
    rows = [
        {
            "entity": each.entity,
            "time": moment(each.tick * run.folder.spec.tick_seconds),
            "kind": each.kind,
            "place": each.place,
            "for": each.who,
            "until": moment(each.until),
            "text": each.text,
            "outcome": outcomes.get((each.entity, each.tick), "by rule"),
        }
        for each in made
    ]
    table = grid("dim", "cyan", "")
    for row in rows:
        told = f"{row['text']} ({row['outcome']})"
        table.add_row(*(Text(row[name]) for name in ("time", "entity", "kind")), Text(told))
    count = format_count(len(made), "happening")
    return Page(rows, [Text.assemble((run.folder.name, "bold"), f" · {count}"), Text(), table])
