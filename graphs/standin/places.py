"""Where things are done, and with what."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from graphs.cards import PlaceCard, TaskCard, Who
from graphs.standin.library import Kind, fit_of, kind_of, thing_of
from graphs.standin.life import background_of
from models.standin.draws import Dice
from models.standin.rule import RuleAnswer
from models.standin.words import clip, stems

if TYPE_CHECKING:
    from graphs.choose_place import ChoosePlaceInput
    from graphs.ground_block import GroundBlockInput

Scored = tuple[float, int, str, PlaceCard]
"""Score, the place's number with a minus, the object, the place."""

ERRAND = "going over to "
"""How a task begins that is nothing but to go to the place it names."""
_FITS = 2.0
"""The least score at which a place is good enough for a task."""
_TOGETHER = 1.5
"""What it counts that a place suits the other tasks of the block too."""
_ANY_PLACE = stems("town house cottage shop")
"""Words of place names that tell no place apart."""
_TAKEN = stems("taken use occupied busy")


def ground_block(inputs: "GroundBlockInput", dice: Dice) -> RuleAnswer:
    """Return a place for every task: the best match of words, home and work; 0 where none fits."""
    items: list[dict[str, object]] = []
    used: list[str] = []
    for block, tasks in groupby(inputs.tasks, key=lambda task: task.part_of):
        found, rests_on = _ground(inputs, block, list(tasks), dice)
        items += found
        used += rests_on
    return RuleAnswer({"items": items}, tuple(used))


def _ground(
    inputs: "GroundBlockInput", block: str, tasks: list[TaskCard], dice: Dice
) -> tuple[list[dict[str, object]], list[str]]:
    """Return the items for the tasks of one block, and the texts they rest on."""
    me = inputs.me
    background = background_of(me)
    sort = kind_of(block, background)
    ranked: list[list[Scored]] = []
    for task in tasks:
        sorts = (kind_of(task.activity, background), sort)
        scored = [_best(task.activity, block, sorts, place, me) for place in inputs.places]
        ranked.append(
            [
                (score, -place.number, name, place)
                for (score, name), place in zip(scored, inputs.places, strict=True)
            ]
        )
    common = _common_place(ranked)
    items: list[dict[str, object]] = []
    used: list[str] = []
    for task, scores in zip(tasks, ranked, strict=True):
        where, name = _chosen(scores, common)
        own = sort or kind_of(task.activity, background)
        items.append(_item(task.number, task.activity, where, name, own, dice))
        used += [task.activity, *((where.address, name) if where else ())]
    return items, used


def choose_place(inputs: "ChoosePlaceInput", dice: Dice) -> RuleAnswer:
    """Return the sector whose name and rooms suit an activity best."""
    me, activity = inputs.me, inputs.activity
    sort = kind_of(activity, background_of(me))
    said = stems(activity)

    def score(number: int, name: str, rooms: Sequence[str]) -> tuple[float, int]:
        named = stems(name)
        value = 6.0 * len(named & said) / max(1, len(named))
        inside = stems(" ".join(rooms))
        value += 2.0 * len(inside & said) + _errand(activity, name)
        value += _home_or_work(sort, name, me, whole=False)
        if sort is not None:
            value += 2.5 * bool(sort.rooms & named) + 1.5 * bool(sort.rooms & inside)
        return value + dice.fraction("sector", name) * 0.5, -number

    best = max(inputs.sectors, key=lambda each: score(each.number, each.name, each.rooms))
    reason = f"{dice.pick(_REASONS, 'reason')} {best.name} it is."
    return RuleAnswer({"reason": clip(reason, 200), "sector": best.number}, (activity, best.name))


def _common_place(ranked: list[list[Scored]]) -> int:
    """Return the number of the place that suits the tasks of a block best taken together."""
    totals: dict[int, float] = {}
    for scores in ranked:
        for score, minus, _, _ in scores:
            totals[-minus] = totals.get(-minus, 0.0) + score
    best = max(totals, key=lambda number: (totals[number], -number), default=0)
    return best if best and totals[best] >= _FITS * len(ranked) else 0


def _chosen(scores: list[Scored], common: int) -> tuple[PlaceCard | None, str]:
    """Return the best place for a task and the object used there; the common one weighs more."""
    weighed = [
        (score + _TOGETHER * (-minus == common), minus, name, place)
        for score, minus, name, place in scores
    ]
    best = max(weighed, key=lambda each: each[:2], default=None)
    return (best[3], best[2]) if best is not None and best[0] >= _FITS else (None, "")


def _best(
    activity: str, block: str, sorts: tuple[Kind | None, Kind | None], place: PlaceCard, me: Who
) -> tuple[float, str]:
    """Return the best score in a place for a task, and its object; '' stands for the room."""
    base = _room_score(activity, block, sorts, place, me)
    note = place.note.lower()
    scores = [(base, "")]
    for name in place.objects:
        fit = fit_of(name, activity)
        if not fit:
            continue
        if name.lower() in note and stems(note) & _TAKEN:
            fit -= 3.0
        scores.append((base + fit, name))
    return max(scores, key=lambda each: each[0])


def _room_score(
    activity: str, block: str, sorts: tuple[Kind | None, Kind | None], place: PlaceCard, me: Who
) -> float:
    """Return how well a place suits a task by its names alone."""
    sector, _, arena = place.address.partition(": ")
    said, about = stems(activity), stems(block)
    score = 0.0
    for named, weight in ((stems(sector), 5.0), (stems(arena), 3.0)):
        if named:
            score += weight * len(named & said) / len(named)
            score += 0.8 * weight * len(named & about) / len(named)
    own, sort = sorts
    rooms = stems(place.address)
    score += 1.5 * bool(sort and sort.rooms & rooms) + 0.5 * bool(own and own.rooms & rooms)
    score += _home_or_work(sort or own, place.address, me, whole=True)
    score += _named(about, place.address, me)
    score += _errand(activity, sector)
    return score + (0.7 if "you are here" in place.note.lower() else 0.0)


def _errand(activity: str, sector: str) -> float:
    """Return what it counts that a task is to go to a sector: much there, against all others."""
    named = stems(sector)
    if not activity.startswith(ERRAND) or not named:
        return 0.0
    return 30.0 * len(named & stems(activity)) / len(named) - 18.0


def _named(about: frozenset[str], address: str, me: Who) -> float:
    """Return what it counts that a block names a place: its own work by a word, others in full."""
    sector = address.partition(": ")[0]
    if sector == me.work.partition(": ")[0] and about & (stems(sector) - _ANY_PLACE):
        return 4.0 + 2.0 * (address == me.work)
    return 4.0 if stems(sector) <= about else 0.0


def _home_or_work(sort: Kind | None, address: str, me: Who, *, whole: bool) -> float:
    """Return what it counts that a place is somebody's home or work."""
    where = sort.where if sort is not None else "any"
    sector = address.partition(": ")[0]
    is_home = sector == me.home.partition(": ")[0]
    is_work = sector == me.work.partition(": ")[0]
    if where == "out":
        return 0.8 if not is_home else -0.5
    score = 0.0
    if is_home:
        score += {"home": 3.5, "any": 1.5}.get(where, 0.0)
        score += 0.6 * (whole and where == "home" and address == me.home)
    if is_work:
        score += 3.5 if where == "work" else 0.3
        score += 0.8 * (whole and where == "work" and address == me.work)
    return score


def _item(
    number: int, activity: str, place: PlaceCard | None, name: str, sort: Kind | None, dice: Dice
) -> dict[str, object]:
    """Return the answer for one task."""
    words = activity.split()
    predicate = words[0] if len(words) > 1 else "is"
    thing = thing_of(name) if name else None
    state = None
    if name:
        state = clip(
            thing.state
            if thing and dice.fraction("state", number) < 0.7
            else f"used for {activity}",
            60,
        )
    emoji = dice.pick(sort.emoji, "emoji", number) if sort else "🙂"
    if thing is not None and dice.fraction("sign", number) < 0.4:
        emoji = thing.emoji
    return {
        "task": number,
        "place": place.number if place else 0,
        "object": name or None,
        "emoji": emoji,
        "predicate": clip(predicate, 30),
        "thing": clip(" ".join(words[1:]) if len(words) > 1 else activity, 60),
        "object_state": state,
        "object_emoji": (thing.emoji if thing else None) if name else None,
    }


_REASONS = (
    "That is where this is usually done.",
    "It is the best place I know for this.",
    "This suits what I want to do.",
)
