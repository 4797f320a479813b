"""How a task appears to others: its verb and object, its emoji, and the state of the object in use.

All of it is derived from the task's own words and from the tables of kinds and objects, so no model
is called. In languages other than English a task gets the plain emoji and its text is used
unchanged.
"""

import re

from agents.chance import pick
from agents.plan import Spot
from graphs.activities.kinds import fit_of, thing_of
from graphs.activities.suiting import Task
from models.standin.words import clip

PLAIN = "🙂"
LONGEST_VERB = 30
LONGEST_THING = 60
LONGEST_STATE = 60
_DOING = re.compile(r"[a-z]{2,}ing")
_BEHIND = frozenset(
    (
        *("about", "across", "along", "around", "at", "back", "down", "for", "from", "in", "into"),
        *("off", "on", "out", "over", "past", "through", "to", "up", "with"),
    )
)
"""Particles that belong to the verb before them: `looking for`."""
_NO_THING = frozenset(("and", "or", "then", "while", "before", "after", "until", "as", "by"))
"""Words after a verb that start a new phrase and so are not the verb's object."""


def verb_and_thing(activity: str) -> tuple[str, str]:
    """Return predicate and object of the event: `baking bread` is (`is baking`, `bread`).

    An activity that does not begin with an -ing verb, or has no object after it, is (`is`, the
    activity).
    """
    first, *rest = activity.split() or [""]
    if not _DOING.fullmatch(first) or not rest or rest[0] in _NO_THING:
        return "is", clip(activity, LONGEST_THING)
    verb = ["is", first]
    while len(rest) > 1 and rest[0] in _BEHIND:
        verb.append(rest.pop(0))
    told = " ".join(verb)
    if len(told) > LONGEST_VERB:
        return "is", clip(activity, LONGEST_THING)
    return told, clip(" ".join(rest), LONGEST_THING)


def spot_of(task: Task, arena: str, name: str) -> Spot:
    """Return the spot of a task in an arena, with the object `name` or, if empty, without one."""
    predicate, thing = verb_and_thing(task.activity)
    return Spot(
        place=f"{arena}: {name}" if name else arena,
        emoji=sign_of(task, name),
        predicate=predicate,
        object=thing,
        object_state=state_of(task.activity) if name else "",
        object_emoji=_sign_of_thing(name),
    )


def sign_of(task: Task, name: str) -> str:
    """Return the emoji of a task: that of the object it is done with, else that of its kind."""
    if name and fit_of(name, task.activity):
        sign = _sign_of_thing(name)
        if sign:
            return sign
    kind = task.own_kind or task.kind
    return pick(kind.emoji, "sign", task.activity) if kind is not None else PLAIN


def state_of(activity: str) -> str:
    """Return the state that others see on an object in use: `being used for baking bread`."""
    if _DOING.fullmatch((activity.split() or [""])[0]):
        return clip(f"being used for {activity}", LONGEST_STATE)
    return "in use"


def _sign_of_thing(name: str) -> str:
    """Return the emoji of an object, or an empty text if none is known."""
    thing = thing_of(name) if name else None
    return thing.emoji if thing is not None else ""
