"""Update a person's needs, and attend to an urgent one (`agents.needs`).

A need changes with time and with the activities since the last thought, as far as code recognises
their words. When it reaches its bound, the person thinks: `react` asks whether to attend to it now,
later or not at all, and code enters the activity into the plan, at a place chosen by rule.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.action import Action
from smolville.agents.english import stems
from smolville.agents.mind import Mind
from smolville.agents.needs import (
    NeedLevels,
    NeedsRow,
    advanced,
    first_levels,
    is_high,
    urgent_at,
    urgent_needs,
)
from smolville.agents.persona import Persona
from smolville.agents.places import sector_of
from smolville.agents.plan import Block, Spot, block_at, is_sleep, splice
from smolville.agents.times import DAY, clock, day_of, minute_of
from smolville.graphs.activities.kinds import tables
from smolville.graphs.components import NEEDS
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.norms import broken_rule
from smolville.graphs.places import (
    WASHROOMS,
    Task,
    best_object,
    here_of,
    is_back_room,
    rank_rooms,
    spot_of,
    task_of,
)
from smolville.graphs.state import MindState
from smolville.graphs.surroundings import Intent
from smolville.parsers.prompt_inputs import NeedCard

FEEL_NEEDS = "feel_needs"
NEED = "need"
"""Value of `Block.source` for a block that meets an urgent need."""
MOST_TOLD = 2
"""Maximum number of high needs in a prompt."""
SOON = 60
"""If the plan meets a need within this many minutes, nobody is asked about the need."""


@dataclass(frozen=True, slots=True)
class NeedWords:
    """The sentences about a need in prompts, and the activity that meets the need."""

    high: str
    """Sentence in prompts if the need is high."""
    urgent: str
    """Sentence in prompts if the need is urgent."""
    activity: str
    minutes: int
    rooms: frozenset[str]
    """Stems in the names of rooms and buildings where the activity is done."""
    falls: Mapping[str, float]
    """Points by which the need falls per hour, by kind of activity; `sleep` and `talk` are
    actions."""


@cache
def need_words() -> Mapping[str, NeedWords]:
    """Return the sentences and the remedy of each need, by its name."""
    rows = tables("needs.toml").items()
    return {name: NeedWords(**{**row, "rooms": stems(row["rooms"])}) for name, row in rows}


async def feel_needs(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Update the needs to the present time, and select the one that requires a decision.

    The words of activities are read in English only: in other languages nothing is felt.
    """
    context = runtime.context
    me, mind = context.of(state.agent), state.mind
    if not (context.is_english and me.has(NEEDS)):
        return {"path": [*state.path, FEEL_NEEDS]}
    at, needs = me.surroundings.at, me.persona.needs
    levels = mind.needs or first_levels(needs, at)
    rows = [] if mind.needs else [_row(me, levels)]
    for action, until in _done_since(me):
        if until > levels.at:
            is_asleep = action is not None and action.kind == "sleep"
            falls = falls_of(me.persona, mind, action)
            levels = advanced(levels, needs, until, falls, is_asleep=is_asleep)
            rows.append(_row(me, levels))
    found = _urgent(me, mind, levels)
    if found:
        levels = replace(levels, asked={**levels.asked, **dict.fromkeys(found, at)})
    asked = [each for each in found if not _is_in_plan(me, mind, each)]
    urgent = asked[0] if asked else ""
    if urgent:
        rows = [*rows[:-1], replace(_row(me, levels), urgent=urgent)]
    mind = replace(mind, needs=levels)
    return {
        "mind": mind,
        "urgent": urgent,
        "felt": [*state.felt, *rows],
        "path": [*state.path, FEEL_NEEDS],
    }


def _done_since(me: Thinker) -> Iterator[tuple[Action | None, int]]:
    """Yield the agent's actions since its last thought, each with the town second of its end."""
    body, at = me.surroundings.body, me.surroundings.at
    if body.ended_talk is not None:
        yield body.interrupted, body.ended_talk.start
    yield body.action, at


def falls_of(persona: Persona, mind: Mind, action: Action | None) -> Mapping[str, float]:
    """Return the points per hour by which an action lowers each need."""
    if action is None or action.kind == "wait":
        return {}
    if action.kind != "do":
        return _falls((action.kind,))
    part_of = ""
    if mind.plan is not None and mind.plan.day == day_of(action.start):
        block = block_at(mind.plan.blocks, minute_of(action.start))
        part_of = block.part_of if block.activity == action.activity else ""
    return _falls(_kinds(task_of(persona, action.activity, part_of)))


def _kinds(task: Task) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.name for each in (task.own_kind, task.kind) if each))


@cache
def _falls(kinds: tuple[str, ...]) -> Mapping[str, float]:
    """Return the highest points per hour by which any of these kinds lowers each need."""
    return {
        need: max(found)
        for need, known in need_words().items()
        if (found := [known.falls[kind] for kind in kinds if kind in known.falls])
    }


def _urgent(me: Thinker, mind: Mind, levels: NeedLevels) -> tuple[str, ...]:
    """Return the needs to attend to, most urgent first; none during sleep or without a plan."""
    body = me.surroundings.body
    is_planned = mind.plan is not None and mind.plan.day == day_of(levels.at) and mind.plan.hours
    if not is_planned or body.action is None or body.action.kind == "sleep":
        return ()
    return urgent_needs(levels, me.persona.needs)


def _is_in_plan(me: Thinker, mind: Mind, need: str) -> bool:
    """Return True if the plan meets a need within the next hour."""
    assert mind.plan is not None
    minute, falls = minute_of(me.surroundings.at), need_words()[need].falls
    for block in mind.plan.blocks:
        if block.end <= minute or block.start > minute + SOON:
            continue
        kinds = _kinds(task_of(me.persona, block.activity, block.part_of))
        if falls.keys() & (("sleep",) if is_sleep(block.activity) else kinds):
            return True
    return False


def _row(me: Thinker, levels: NeedLevels) -> NeedsRow:
    tick = me.surroundings.tick
    return NeedsRow(agent=me.name, tick=tick, at=levels.at, levels=levels.levels)


def format_needs(me: Thinker, mind: Mind) -> str:
    """Return a short sentence for each high need, as prompts show it; empty for none."""
    if mind.needs is None or not me.has(NEEDS):
        return ""
    levels, needs = mind.needs.levels, me.persona.needs
    high = [each for each in needs.had() if is_high(levels.get(each, 0.0), needs.of(each))]
    worst = sorted(high, key=lambda need: needs.of(need).bound - levels[need])
    return " ".join(need_words()[each].high for each in worst[:MOST_TOLD])


def need_card(me: Thinker, mind: Mind, need: str) -> NeedCard | None:
    """Return the prompt input for an urgent need; None if there is none."""
    if not need:
        return None
    known = need_words()[need]
    later = _later(mind, minute_of(me.surroundings.at))
    return NeedCard(told=known.urgent, activity=known.activity, later=clock(later))


def _later(mind: Mind, minute: int) -> int:
    assert mind.plan is not None
    return block_at(mind.plan.blocks, minute).end


def lay_need(me: Thinker, mind: Mind, need: str, *, is_now: bool) -> Mind:
    """Return the mind with the remedy of a need in its plan, now or after the current block."""
    assert mind.plan is not None
    known, minute = need_words()[need], minute_of(me.surroundings.at)
    start = minute if is_now else _later(mind, minute)
    end = min(start + known.minutes, DAY)
    if end <= start:
        return mind
    block = Block(start=start, minutes=end - start, activity=known.activity, source=NEED)
    block = replace(block, spot=nearest_spot(me, mind, block, known.rooms))
    blocks = splice(mind.plan.blocks, start, end, [block])
    return replace(mind, plan=replace(mind.plan, blocks=blocks))


def nearest_spot(me: Thinker, mind: Mind, block: Block, rooms: frozenset[str]) -> Spot | None:
    """Return the nearest known spot in a room with a suitable name; None if none is known.

    The nearest is the room where the agent stands, then one of the same building, one in sight, one
    at home, and any other.
    """
    task, here = task_of(me.persona, block.activity, ""), here_of(me)
    sights = [sight.arena for sight in me.surroundings.sights]
    minute, home = minute_of(me.surroundings.at), sector_of(me.persona.home)
    found = []
    for place, (_, arena) in enumerate(rank_rooms(mind, me.persona, here, task)):
        is_barred = is_back_room(mind.places[arena], arena, me.persona, task)
        if not stems(arena) & rooms or is_barred or broken_rule(me, block, arena, minute):
            continue
        # Nobody eats in the restroom of a café.
        own = stems(arena.partition(": ")[2])
        if own & WASHROOMS and not own & rooms:
            continue
        sector = sector_of(arena)
        near = (arena == here.arena, sector == sector_of(here.arena), arena in sights)
        far = (*near, sector == home, True).index(True)
        found.append((far, place, arena))
    if not found:
        return None
    arena = min(found)[2]
    name = best_object(mind, arena, task, here, 0.0)
    return replace(spot_of(task, arena, name), by_rule=True)


def needs_due(me: Thinker, mind: Mind, intent: Intent | None) -> int:
    """Return the town second at which a need will be urgent; 0 if none will be, and during sleep.

    This assumes that the agent does what it intends, or continues as before.
    """
    body = me.surroundings.body
    action = (intent.action if intent else None) or body.action
    if mind.needs is None or not me.has(NEEDS) or action is None or action.kind == "sleep":
        return 0
    return urgent_at(mind.needs, me.persona.needs, falls_of(me.persona, mind, action))
