"""The stand-in's rules for the subtasks of a block, whose minutes sum to the block's."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphs.activities.kinds import Kind
from graphs.activities.splitting import LONGEST, kind_for, names_of, split
from graphs.prompt_inputs import PersonaInput
from graphs.standin.places import ERRAND
from models.standin.draws import Dice
from models.standin.rule import RuleAnswer
from models.standin.words import clip

if TYPE_CHECKING:
    from graphs.decompose import DecomposeInput
    from graphs.replan import ReplanInput

_GO = re.compile(
    r"\b(?:go|walk|run|head|hurry) (?:over |straight |back |down |up |now )*to (?:the )?"
    r"([A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*)"
)
_NOT = re.compile(r"\b(?:not|never|don't|don’t)\b", re.IGNORECASE)
_MOST = 12


def decompose(inputs: "DecomposeInput", dice: Dice) -> RuleAnswer:
    """Return the subtasks of a block that is about to start."""
    return _divided(inputs.activity, inputs.minutes, inputs.me, inputs.ideas, dice)


def replan(inputs: "ReplanInput", dice: Dice) -> RuleAnswer:
    """Return new subtasks for a window: the unfinished ones, as far as they fit."""
    minutes = inputs.minutes
    left = [task.activity for task in inputs.tasks]
    names = list(dict.fromkeys(left))[: max(1, min(_MOST, minutes // 10))]
    used = (*names, inputs.activity)
    place = _errand_in(inputs.reason)
    if not names or len(names) * LONGEST < minutes:
        draft = _divided(inputs.activity, minutes, inputs.me, (), dice)
        if not place:
            return draft
        names, used = [row["activity"] for row in draft.answer["subtasks"]], draft.used
    if place:
        names = [f"{ERRAND}the {place}", *names][: len(names)]
        used = (place, *(text for text in used if text in (*names, inputs.activity)))
    return RuleAnswer({"subtasks": _rows(names, split(minutes, len(names), dice))}, used)


def _errand_in(reason: str) -> str:
    """Return the place that a reason says to go to, or an empty text."""
    found = _GO.search(reason)
    if found is None or _NOT.search(reason[: found.start()]):
        return ""
    return found[1][:80].strip()


def _divided(
    activity: str, minutes: int, me: PersonaInput, ideas: Sequence[str], dice: Dice
) -> RuleAnswer:
    """Return an activity as subtasks of about 10 to 30 minutes, from `ideas` if there are any."""
    sort = kind_for(activity, me)
    if sort is not None and sort.name == "sleep":
        count = max(1, -(-minutes // LONGEST))
        names = [activity] * min(count, _MOST)
    else:
        count = _count(minutes, dice)
        if sort is not None:
            count = max(min(count, len(sort.tasks) * 8 // 5), -(-minutes // LONGEST))
        names = names_of(activity, _tasks(sort, ideas), count, dice)
    return RuleAnswer({"subtasks": _rows(names, split(minutes, len(names), dice))}, (activity,))


def _tasks(sort: Kind | None, ideas: Sequence[str]) -> tuple[str, ...]:
    """Return the tasks of a kind; those that open or close a day only if they are in `ideas`."""
    if sort is None:
        return ()
    marked = sort.opening | sort.closing
    return tuple(task for task in sort.tasks if task in ideas or task not in marked)


def _count(minutes: int, dice: Dice) -> int:
    """Return a suitable number of subtasks for a block."""
    size = dice.pick((11, 12, 13, 14, 15), "size")
    least = -(-minutes // LONGEST)
    return max(1, least, min(_MOST, round(minutes / size), minutes // 5))


def _rows(names: list[str], sizes: list[int]) -> list[dict[str, object]]:
    """Return the answer's items."""
    return [
        {"activity": clip(name, 120), "minutes": size}
        for name, size in zip(names, sizes, strict=True)
    ]
