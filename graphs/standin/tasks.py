"""The parts of a block: subtasks with minutes that sum to it."""

import re
from typing import TYPE_CHECKING

from graphs.cards import Who
from graphs.frame.life import background_of, place_in
from graphs.standin.library import Kind, kind, kind_of, spoken
from graphs.standin.places import ERRAND
from models.standin.draws import Dice
from models.standin.rule import RuleAnswer
from models.standin.words import clip, lower_first

if TYPE_CHECKING:
    from graphs.decompose import DecomposeInput
    from graphs.replan import ReplanInput

_GO = re.compile(
    r"\b(?:go|walk|run|head|hurry) (?:over |straight |back |down |up |now )*to (?:the )?"
    r"([A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*)"
)
_NOT = re.compile(r"\b(?:not|never|don't|don’t)\b", re.IGNORECASE)
_MOST = 12
_LONGEST = 60


def decompose(inputs: "DecomposeInput", dice: Dice) -> RuleAnswer:
    """Return the subtasks of a block that is about to start."""
    return _divided(inputs.activity, inputs.minutes, inputs.me, dice)


def replan(inputs: "ReplanInput", dice: Dice) -> RuleAnswer:
    """Return new subtasks for a window: what was still to be done, as far as it fits."""
    minutes = inputs.minutes
    left = [task.activity for task in inputs.tasks]
    names = list(dict.fromkeys(left))[: max(1, min(_MOST, minutes // 10))]
    used = (*names, inputs.activity)
    place = _errand_in(inputs.reason)
    if not names or len(names) * _LONGEST < minutes:
        draft = _divided(inputs.activity, minutes, inputs.me, dice)
        if not place:
            return draft
        names, used = [row["activity"] for row in draft.answer["subtasks"]], draft.used
    if place:
        names = [f"{ERRAND}the {place}", *names][: len(names)]
        used = (place, *(text for text in used if text in (*names, inputs.activity)))
    return RuleAnswer({"subtasks": _rows(names, split(minutes, len(names), dice))}, used)


def _errand_in(reason: str) -> str:
    """Return the place where a reason says to go, or an empty text."""
    found = _GO.search(reason)
    if found is None or _NOT.search(reason[: found.start()]):
        return ""
    return found[1][:80].strip()


def split(minutes: int, count: int, dice: Dice) -> list[int]:
    """Return `count` lengths that sum to `minutes`: multiples of 5 up to 60 where that fits."""
    if count == 1:
        return [minutes]
    units, rest = divmod(minutes, 5)
    longest = max(_LONGEST // 5, -(-units // count))
    least = 2 if units >= 2 * count else 1
    lengths = [least] * count
    for at in range(units - least * count):
        free = [place for place in range(count) if lengths[place] < longest]
        lengths[dice.pick(free, "unit", at)] += 1
    sizes = [length * 5 for length in lengths]
    shortest = min(range(count), key=lambda place: (sizes[place], place))
    sizes[shortest] += rest
    return sizes


def _divided(activity: str, minutes: int, me: Who, dice: Dice) -> RuleAnswer:
    """Return an activity as subtasks of some 10 to 30 minutes."""
    sort = _kind(activity, me)
    if sort is not None and sort.name == "sleep":
        count = max(1, -(-minutes // _LONGEST))
        names = [activity] * min(count, _MOST)
    else:
        count = _count(minutes, dice)
        if sort is not None:
            count = max(min(count, len(sort.tasks) * 8 // 5), -(-minutes // _LONGEST))
        names = _names(activity, sort, count, dice)
    return RuleAnswer({"subtasks": _rows(names, split(minutes, len(names), dice))}, (activity,))


def _count(minutes: int, dice: Dice) -> int:
    """Return how many subtasks suit a block."""
    size = dice.pick((11, 12, 13, 14, 15), "size")
    least = -(-minutes // _LONGEST)
    return max(1, least, min(_MOST, round(minutes / size), minutes // 5))


def _kind(activity: str, me: Who) -> Kind | None:
    """Return the kind of an activity; hosts prepare before they receive."""
    if activity.startswith("preparing the "):
        return kind("party_preparing")
    sort = kind_of(activity, background_of(me))
    place = place_in(activity).removeprefix("the ")
    is_meal = sort is not None and sort.name in ("breakfast", "lunch", "dinner")
    return kind("eating_out") if is_meal and place and place not in me.home else sort


def _names(activity: str, sort: Kind | None, count: int, dice: Dice) -> list[str]:
    """Return `count` parts of an activity, in an order in which people do them."""
    if count == 1:
        return [clip(activity, 120)]
    if sort is None or not sort.tasks:
        return _plain(activity, count)
    names: list[str] = []
    while len(names) < count:
        turn = len(names)
        order = dice.shuffled(range(len(sort.tasks)), "tasks", turn)
        picked = sorted(order[: count - turn])
        names += [_fresh(sort.tasks[at], names, dice) for at in picked]
    return [_placed(name, activity, names[:at]) for at, name in enumerate(names)]


def _fresh(task: str, before: list[str], dice: Dice) -> str:
    """Return a task in words that do not stand in `before`, where it has such words."""
    spoken_tasks = [spoken(task, dice, len(before), turn) for turn in range(4)]
    return next((each for each in spoken_tasks if each not in before), spoken_tasks[0])


def _placed(name: str, activity: str, before: list[str]) -> str:
    """Return a part that was named before with the place or the thing it is done for."""
    if name not in before:
        return name
    place = place_in(activity)
    again = f"{name} at {place}" if place and f"{name} at {place}" not in before else ""
    more = f"{name} again" if f"{name} again" not in before else f"{name} once more"
    return clip(again or more, 120)


def _plain(activity: str, count: int) -> list[str]:
    """Return parts of an activity that nothing is known about."""
    activity = clip(lower_first(activity), 90)
    forms: tuple[str, ...] = (
        "getting ready for {}",
        "{}",
        "going on with {}",
        "taking a short break from {}",
    )
    forms += ("looking over what is done of {}", "finishing {}")
    chosen = [*forms[: count - 1], forms[-1]] if count <= len(forms) else list(forms)
    while len(chosen) < count:
        chosen.insert(-1, forms[1 + len(chosen) % 2])
    return [form.format(activity) for form in chosen]


def _rows(names: list[str], sizes: list[int]) -> list[dict[str, object]]:
    """Return the answer's items."""
    return [
        {"activity": clip(name, 120), "minutes": size}
        for name, size in zip(names, sizes, strict=True)
    ]
