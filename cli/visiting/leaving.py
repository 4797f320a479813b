"""Put what a visitor is to do into a run's inbox."""

from collections.abc import Sequence

from agents.errors import RunError
from cli.screen import say
from history.inbox import Inbox, OperatorRequest
from reports.opening import OpenRun
from world.visiting import wishes


def visit_wishes(
    run: OpenRun,
    name: str,
    *,
    about: str,
    at: str | None,
    to: str | None,
    do: str | None,
    talk: str | None,
    leave: bool,
) -> list[OperatorRequest]:
    """Return the requests of a visitor in order: come, walk, act, talk, leave."""
    if about and not at:
        raise RunError("Say with --at where they walk in; --about says who walks in there.")
    wanted: list[OperatorRequest] = []
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


def leave_wishes(run: OpenRun, wanted: Sequence[OperatorRequest], effect: str) -> list[str]:
    """Put requests into the inbox, print their effect and from when it holds; return their ids."""
    with Inbox(run.folder) as inbox:
        ids = [inbox.put(wish) for wish in wanted]
    say(f"{effect} {run.from_when()}.")
    return ids
