"""Finds days that go in circles: repeated activities, and people who are stuck or misplaced."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from smolville.agents.action import Action
from smolville.agents.places import OUTDOORS, arena_of, sector_of
from smolville.agents.times import Clock, day_of
from smolville.history.moments import tile_at
from smolville.history.records import Deed, Move, ThoughtRow
from smolville.reports.drift.alarm import Alarm, AlarmKind, TimedAction, at_first, day_start, doings
from smolville.world.town.townmap import TownMap

MOST_TIMES = 8
"""Number of times that an activity is begun on one day, from which on it is repeated too often.

Work recurs: recorded days have up to 5.
"""
SAME_DAY = 0.8
"""Share of a day's activities that the previous day also had, from which on the days are alike.

Two days of the stand-in share 36 to 51 %. From four of five on, the second day repeats the first
one.
"""
FEWEST = 30
"""Number of different activities that a day needs for a comparison with another day.

Whole days have 39 to 66. Half a day has about 20, and mornings are much alike.
"""
LONGEST_HOURS = 4
"""Hours awake with the same activity in the same place, apart from talks, that are too long.

Plans are split into tasks of at most an hour or two. The longest such time on a recorded day is 2 h
20.
"""
MOST_REFUSALS = 3
"""Number of refusals in a row, without any action between them, from which on an agent is stuck.

The first refusals are bad luck.
"""
MOST_FAILED = 3
"""Number of failed thoughts in a row that causes an alarm.

A failed thought leaves no trace, and its agent stands still.
"""
APART_MINUTES = 30
"""Minutes in the wrong place on one day that cause an alarm.

A walk across the shipped town takes up to 28, so short tasks may end on the way.
"""
_NUMBERS = re.compile(r"\d+")
_MENTIONS = re.compile(
    r"\b(?:walk|go(?:es|ing)?\b|head|leav|travel|call|phon|telephon|writ|think|thought|plan|talk"
    r"|chat|tell|read|hear|remember|wait|order|decid|prepar|look)",
    re.IGNORECASE,
)
"""Words of activities that may name a place although they are done elsewhere."""
_LATE = "had not reached {place} for {what} after"
_ELSEWHERE = "was {what}, but in {place}, for"


def find_repeated_activities(deeds: Sequence[Deed]) -> Iterator[Alarm]:
    """Yield alarms about repeated activities of one agent.

    An activity was begun too often on a day, or a day is like the previous one.
    """
    days: dict[int, list[TimedAction]] = defaultdict(list)
    for doing in doings(deeds):
        if doing.action.kind == "do":
            days[day_of(doing.action.start)].append(doing)
    before: set[str] = set()
    for day, done in days.items():
        begun = [name for name, _ in groupby(activity_name(doing.action) for doing in done)]
        name, times = Counter(begun).most_common(1)[0]
        agent = deeds[0].agent
        starts = [doing.action.start for doing in done if activity_name(doing.action) == name]
        if times >= MOST_TIMES:
            text = f"{agent} began {name!r} {times} times on day {day}, {at_first(starts)}."
            yield _alarm("activities", agent, times, starts, text)
        own = set(begun)
        again = len(own & before)
        if min(len(own), len(before)) >= FEWEST and again >= SAME_DAY * len(own):
            text = f"{agent} did on day {day} what the day before had: {again} of {len(own)} "
            starts = [done[0].action.start]
            yield _alarm("activities", agent, again, starts, f"{text}activities are the same.")
        before = own if len(own) else before


def find_stuck(deeds: Sequence[Deed]) -> Iterator[Alarm]:
    """Yield alarms about an agent who does the same thing for hours, or is refused repeatedly."""
    awake = [each for each in doings(deeds) if each.action.kind in ("do", "wait")]
    for _, group in groupby(
        awake, key=lambda each: (activity_name(each.action), each.action.place)
    ):
        same = list(group)
        began, ended = same[0].action.start, same[-1].end
        hours = sum(each.seconds for each in same) / 3600
        # A night between two stretches of the same is a break.
        if hours >= LONGEST_HOURS and ended - began <= 2 * hours * 3600:
            name, agent = activity_name(same[0].action), deeds[0].agent
            text = f"{agent} was {name!r} for {hours:.1f} hours without a break"
            yield _alarm("stuck", agent, 1, [began], f"{text}, {at_first([began])}.")
    for outcome, row in groupby(deeds, key=lambda deed: deed.outcome):
        refused = list(row)
        if outcome == "refused" and len(refused) >= MOST_REFUSALS:
            starts = [deed.action.start for deed in refused]
            why = refused[-1].reason.rstrip(".")
            text = f"{deeds[0].agent} was refused {len(refused)} times in a row, {at_first(starts)}"
            text += f": {why}." if why else "."
            yield _alarm("stuck", deeds[0].agent, len(refused), starts, text)


def find_failing(thoughts: Sequence[ThoughtRow]) -> Iterator[Alarm]:
    """Yield an alarm for each series of failed thoughts of one agent."""
    for has_failed, row in groupby(thoughts, key=lambda thought: bool(thought.failed)):
        failed = list(row)
        if has_failed and len(failed) >= MOST_FAILED:
            times = [thought.at for thought in failed]
            text = f"{failed[0].agent} stood still: {len(failed)} thoughts in a row failed, "
            yield _alarm("stuck", failed[0].agent, len(failed), times, f"{text}{at_first(times)}.")


def find_apart(
    deeds: Sequence[Deed], moves: Sequence[Move], town_map: TownMap, clock: Clock
) -> Iterator[Alarm]:
    """Yield alarms about days on which an agent is elsewhere than planned.

    Either the agent has not arrived when an action ends, or the activity names another place than
    the one where it is done.
    """
    away: dict[int, list[TimedAction]] = defaultdict(list)
    named: dict[int, list[TimedAction]] = defaultdict(list)
    begun = [move.tick for move in moves]
    for doing in doings(deeds):
        if doing.action.kind not in ("do", "sleep") or doing.seconds <= 0:
            continue
        day = day_start(doing.action.start)
        tick = clock.tick_at(doing.end) - 1
        latest = bisect_right(begun, tick) - 1
        here = town_map.arena_at(tile_at(moves[latest], tick, clock)) if latest >= 0 else ""
        late = here and doing.seconds >= 60 * APART_MINUTES
        if late and not _is_within(here, doing.action.place, town_map):
            away[day].append(doing)
        elif _names_another(doing.action, town_map.sectors):
            named[day].append(doing)
    for told, days in ((_LATE, away), (_ELSEWHERE, named)):
        for found in days.values():
            yield from _tell_apart(deeds[0].agent, told, found)


def _tell_apart(agent: str, told: str, found: Sequence[TimedAction]) -> Iterator[Alarm]:
    """Yield an alarm about somebody's actions of one day in the wrong place, if they last long."""
    minutes = sum(doing.seconds for doing in found) // 60
    if minutes >= APART_MINUTES:
        first = found[0].action
        starts = [doing.action.start for doing in found]
        what = told.format(place=first.place, what=repr(first.activity))
        more = f" with {len(found) - 1} more" if found[1:] else ""
        text = f"{agent} {what} {minutes} minutes{more}, {at_first(starts)}."
        yield _alarm("apart", agent, len(found), starts, text)


def _is_within(here: str, place: str, town_map: TownMap) -> bool:
    """Return whether an agent in the arena `here` has reached a place; True if it is unknown."""
    whole = arena_of(place)
    if place == OUTDOORS or whole not in town_map:
        return True
    return whole in (here, sector_of(here))


def _names_another(action: Action, sectors: Collection[str]) -> bool:
    """Return whether an activity names another sector than the one where it is done."""
    if _MENTIONS.search(action.activity):
        return False
    text = action.activity.casefold()
    named = [sector for sector in sectors if sector.casefold() in text]
    return bool(named) and sector_of(action.place) not in named


def activity_name(action: Action) -> str:
    """Return an activity without its numbers, so that `page 3` and `page 4` count as the same."""
    return " ".join(_NUMBERS.sub(" ", action.activity).split())


def _alarm(kind: AlarmKind, agent: str, count: int, times: Sequence[int], sentence: str) -> Alarm:
    """Return an alarm about one agent."""
    return Alarm(
        kind=kind,
        who=(agent,),
        count=count,
        first=min(times),
        last=max(times),
        sentence=sentence,
    )
