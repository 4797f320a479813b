"""Find out whether a choice breaks a rule of the town (`agents.norms`)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.mind import Mind
from smolville.agents.norms import TownRule
from smolville.agents.plan import Block, block_at, is_sleep
from smolville.agents.times import DAY, date_of, day_of, minute_of
from smolville.graphs.components import NORMS
from smolville.graphs.context import MindContext, Thinker
from smolville.graphs.state import MindState
from smolville.parsers.prompt_inputs import PlaceCard

LEAVE_FORBIDDEN = "leave_forbidden"


def broken_rule(me: Thinker, block: Block, place: str, minute: int = 0) -> str:
    """Return the first rule that a block at a place breaks; empty if it breaks none.

    The rules are checked for the block's beginning, or for `minute` if that is later.
    """
    weekday = _weekday(me)
    begin = max(block.start, minute)
    found = (rule for rule in _binding(me, block, place) if rule.holds_at(weekday, begin))
    return next((rule.text for rule in found), "")


def allowed_until(me: Thinker, block: Block, place: str) -> int:
    """Return the minute until which a block may go on at a place.

    This is the block's end, or the earlier minute at which a rule begins to forbid the block. A
    block that a rule forbids already keeps its end: without any lawful place, it is done all the
    same.
    """
    weekday, now = _weekday(me), max(block.start, minute_of(me.surroundings.at))
    rules = tuple(_binding(me, block, place))
    if not rules or any(rule.holds_at(weekday, now) for rule in rules):
        return block.end
    later = range(now + 1, min(block.end, DAY))
    return next(
        (minute for minute in later if any(rule.holds_at(weekday, minute) for rule in rules)),
        block.end,
    )


def with_rules(
    me: Thinker, tasks: Mapping[str, Block], places: Sequence[PlaceCard], minute: int = 0
) -> tuple[PlaceCard, ...]:
    """Return the rooms offered for tasks, given by letter, each with those forbidden there."""
    if not me.norms:
        return tuple(places)
    marked = []
    for place in places:
        broken = {
            letter: rule
            for letter, block in tasks.items()
            if (rule := broken_rule(me, block, place.place, minute))
        }
        update = {"barred": tuple(broken), "rule": next(iter(broken.values()), "")}
        marked.append(place.model_copy(update=update) if broken else place)
    return tuple(marked)


def stands_in_forbidden_place(state: MindState, me: Thinker) -> bool:
    """Return True when a rule forbids the place already chosen for the current block."""
    if not me.norms or state.mind.plan is None:
        return False
    now = minute_of(me.surroundings.at)
    return _is_forbidden(me, block_at(state.mind.plan.blocks, now), now)


async def leave_forbidden(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Remove the places of current and later blocks that a rule now forbids."""
    me = runtime.context.of(state.agent)
    return {"mind": _without_forbidden(me, state.mind), "path": [*state.path, LEAVE_FORBIDDEN]}


def _without_forbidden(me: Thinker, mind: Mind) -> Mind:
    assert mind.plan is not None
    now = minute_of(me.surroundings.at)
    blocks = tuple(
        replace(block, spot=None) if block.end > now and _is_forbidden(me, block, now) else block
        for block in mind.plan.blocks
    )
    return replace(mind, plan=replace(mind.plan, blocks=blocks))


def _is_forbidden(me: Thinker, block: Block, now: int) -> bool:
    """Return True when a rule forbids the place chosen for a block; never for sleep."""
    if block.spot is None or is_sleep(block.activity):
        return False
    return broken_rule(me, block, block.spot.place, now) != ""


def _binding(me: Thinker, block: Block, place: str) -> Iterator[TownRule]:
    if not me.has(NORMS):
        return
    told = f"{block.activity} {block.part_of}"
    yield from (rule for rule in me.norms if rule.forbids(me.persona, place, told))


def _weekday(me: Thinker) -> int:
    around = me.surroundings
    return date_of(around.start_date, day_of(around.at)).weekday()
