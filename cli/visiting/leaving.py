"""What a visitor is to do, left in a run's inbox."""

from collections.abc import Sequence

from agents.errors import RunError
from cli.screen import say
from world.runs.inbox import Inbox, Wish
from world.telling.opening import Open
from world.visiting import wishes


def visit_wishes(
    run: Open,
    name: str,
    *,
    about: str,
    at: str | None,
    to: str | None,
    do: str | None,
    talk: str | None,
    leave: bool,
) -> list[Wish]:
    """Return what a visitor is to do, in its order: come, walk, act, talk, leave."""
    if about and not at:
        raise RunError("Say with --at where they walk in; --about says who walks in there.")
    wanted: list[Wish] = []
    if at:
        wanted.append(wishes.entrance(name, about, at, town=run.town, cast=run.reader.agents()))
    if to:
        wanted.append(wishes.walk(name, to, town_map=run.town.map))
    if do:
        wanted.append(wishes.deed(name, do))
    if talk:
        wanted.append(wishes.talk(name, run.person(talk)))
    if leave:
        wanted.append(wishes.leave(name))
    return wanted


def leave_wishes(run: Open, wanted: Sequence[Wish], effect: str) -> list[str]:
    """Leave wishes, say what they do and from when, and return their ids."""
    with Inbox(run.folder) as inbox:
        ids = [inbox.put(wish) for wish in wanted]
    say(f"{effect} {run.from_when()}.")
    return ids
