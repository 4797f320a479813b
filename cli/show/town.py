"""The town at the watermark, and one tile of its map: who is there and what is unusual."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.action import Action
from smolville.agents.errors import RunError
from smolville.agents.times import clock, minute_of, moment
from smolville.agents.wording import visible_line
from smolville.cli.run.summary import format_failures, format_totals
from smolville.history.records import ThoughtRow, Tile
from smolville.reports.health import format_kinds
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
from smolville.reports.tally import RunTally, count_run

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

MOST_OBJECTS = 12
"""Maximum number of objects shown on screen; the JSON output has them all."""


@dataclass(frozen=True)
class TownView:
    """A run at its watermark."""

    run: OpenRun
    people: list[Presence]
    objects: list[UnusualObject]
    numbers: RunTally
    goal: int | None
    failures: list[ThoughtRow]
    """The thoughts that failed."""

    def plain(self) -> object:
        """Return the run, its people, its objects and its numbers."""
        spec = self.run.folder.spec
        return {
            "run": spec.name,
            "town": spec.town_name,
            "state": self.run.state(),
            "at": self.run.at,
            "time": moment(self.run.at),
            "goal": None if self.goal is None else moment(self.goal),
            "models": {"fast": spec.models.fast, "strong": spec.models.strong},
            "agents": [plain_presence(each) for each in self.people],
            "objects": [_plain_object(each) for each in self.objects],
            "numbers": self.numbers.plain(),
        }

    def render(self) -> "RenderableType":
        """Return the run as a page."""
        from rich.console import Group

        from smolville.lab.styled import Text

        spec = self.run.folder.spec
        goal = "" if self.goal is None else f", goal {moment(self.goal)}"
        head = Text.assemble(
            (spec.name, "bold cyan"),
            f" · {spec.town_name} · ",
            (self.run.format_time(self.run.at), "bold"),
            (f" · {self.run.state()}{goal}", "dim"),
        )
        parts: list[RenderableType] = [head]
        if self.run.folder.is_sample:
            parts.append(Text(describe_recording(self.run.folder), style="dim"))
        parts += [Text(), self._people(), Text()]
        if self.objects:
            parts += [self._objects(), Text()]
        parts += [health(self.numbers), Text(format_totals(self.numbers), style="dim")]
        if self.failures:
            told = visible_line(format_failures(self.failures, self.run.folder))
            parts.append(Text(told, style="red"))
        return Group(*parts)

    def _people(self) -> "Table":
        from rich.table import Table

        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold", no_wrap=True)
        table.add_column(style="dim", ratio=4)
        table.add_column(style="dim", no_wrap=True, justify="right")
        table.add_column(ratio=5)
        table.expand = True
        for each in self.people:
            until = clock(minute_of(each.action.end)) if each.action else ""
            table.add_row(each.name, each.place, until and f"until {until}", doing(each))
        return table

    def _objects(self) -> "Table":
        from rich.table import Table

        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column()
        table.add_column(style="dim")
        for each in self.objects[:MOST_OBJECTS]:
            by = each.state.by or "from outside"
            since = f"since {clock(minute_of(each.at))}, {by}"
            table.add_row(each.state.address, f"{each.state.state} {each.state.emoji}", since)
        more = len(self.objects) - MOST_OBJECTS
        if more > 0:
            table.add_row(f"and {more} more", "", "")
        return table


def town_view(run: OpenRun) -> TownView:
    """Return the run at its watermark."""
    with run.reader.snapshot():
        town_map = run.town.map
        goal = run.reader.goal()
        return TownView(
            run=run,
            people=presences(run.reader, town_map, run.tick),
            objects=unusual(run.reader, town_map, run.tick),
            numbers=count_run(run.reader),
            goal=None if goal is None else goal.at,
            failures=[row for row in run.reader.thoughts(until=run.tick) if row.failed],
        )


def doing(each: Presence) -> str:
    """Return what an agent does, in words."""
    if each.action is None:
        return "has not begun"
    mark = " (fallback)" if each.action.fallback else ""
    way = f"on the way {spoken_way(*each.way)}, for " if each.way else ""
    return f"{way}{each.action.activity}{mark} {each.action.emoji}"


def health(numbers: RunTally) -> "RenderableType":
    """Return one line on how well the model answered."""
    from smolville.lab.styled import Text

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


def plain_presence(each: Presence) -> dict[str, object]:
    """Return an agent's place and action as plain data."""
    return {
        "name": each.name,
        "tile": None if each.tile is None else list(each.tile),
        "place": each.place,
        "walking": each.is_walking,
        "way": None if each.way is None else list(each.way),
        "talking": each.is_talking,
        "action": None if each.action is None else plain_action(each.action),
    }


def plain_action(action: Action) -> dict[str, object]:
    """Return an action as plain data."""
    return {
        "kind": action.kind,
        "activity": action.activity,
        "emoji": action.emoji,
        "place": action.place,
        "start": moment(action.start),
        "end": moment(action.end),
        "triple": [action.predicate, action.object],
        "partners": list(action.partners),
        "fallback": action.fallback,
    }


def _plain_object(each: UnusualObject) -> dict[str, object]:
    return {
        "address": each.state.address,
        "state": each.state.state,
        "emoji": each.state.emoji,
        "by": each.state.by,
        "since": moment(each.at),
    }


_TILE = re.compile(r"\s*\(?\s*(\d{1,5})\s*[,x ]\s*(\d{1,5})\s*\)?\s*")


@dataclass(frozen=True)
class TileView:
    """One tile at the watermark."""

    tile: Tile
    is_walkable: bool
    place: str
    objects: dict[str, str]
    """State of each object on the tile, by address."""
    people: list[Presence]

    def plain(self) -> object:
        """Return the tile."""
        return {
            "tile": list(self.tile),
            "walkable": self.is_walkable,
            "place": self.place,
            "objects": [{"address": a, "state": state} for a, state in self.objects.items()],
            "agents": [plain_presence(each) for each in self.people],
        }

    def render(self) -> "RenderableType":
        """Return the tile in a few lines."""
        from rich.table import Table

        from smolville.lab.styled import Text

        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column()
        walkable = "one can walk here" if self.is_walkable else "blocked"
        table.add_row("tile", Text(f"{self.tile[0]},{self.tile[1]} · {walkable}", style="bold"))
        table.add_row("place", self.place)
        for address, state in self.objects.items():
            table.add_row("object", f"{address}: {state}")
        for each in self.people:
            table.add_row("here", f"{each.name}: {doing(each)}")
        return table


def tile_view(run: OpenRun, text: str) -> TileView:
    """Return what is on the tile written as `X,Y`; raise RunError if it is not on the map."""
    tile = read_tile(text)
    town_map = run.town.map
    if tile not in town_map.frame:
        raise RunError(
            f"--tile {text!r} is not on the map; columns go from 0 to {town_map.width - 1}, "
            f"rows from 0 to {town_map.height - 1}."
        )
    with run.reader.snapshot():
        states = run.reader.object_states(run.tick)
        people = presences(run.reader, town_map, run.tick)
    return TileView(
        tile=tile,
        is_walkable=town_map.is_walkable(tile),
        place=town_map.arena_at(tile),
        objects=objects_on(town_map, tile, states),
        people=standing_on(people, tile),
    )


def read_tile(text: str) -> Tile:
    """Parse a tile written as `X,Y`; RunError says how to write it."""
    found = _TILE.fullmatch(text)
    if found is None:
        raise RunError(f"--tile cannot be {text!r}: write column and row, as 34,12.")
    return int(found[1]), int(found[2])
