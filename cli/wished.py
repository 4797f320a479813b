"""Put operators' requests into a run's inbox, and print from when they hold."""

from collections.abc import Mapping, Sequence
from typing import Literal

from agents.wording import worded
from cli.screen import say
from history.inbox import Inbox, OperatorRequest
from history.records import Tile
from reports.opening import OpenRun
from reports.present import presences
from world.meaning import find_thing, read_object_wish


def put(
    run: OpenRun, kind: Literal["whisper", "object_state"], target: str, text: str, effect: str
) -> None:
    """Put one request into the inbox, and print its effect and from when it holds."""
    with Inbox(run.folder) as inbox:
        inbox.put(OperatorRequest(kind=kind, target=target, text=text))
    say(f"{effect} {run.from_when()}.")


def object_meant(run: OpenRun, thing: str, state: str | None, near: str | None) -> tuple[str, str]:
    """Return the address of the object that is meant, and its new state.

    Without a state, `thing` is a sentence that says both.
    """
    beside = None if near is None else tile_of(run, run.person(near))
    if state is not None:
        return find_thing(thing, run.town.map, beside), worded(state, "a state")
    meant = read_object_wish(thing, run.town.map, beside)
    return meant.address, meant.state


def tile_of(run: OpenRun, name: str) -> Tile | None:
    """Return the tile an agent stands on; None before the run's first commit."""
    people = presences(run.reader, run.town.map, run.tick)
    return next((each.tile for each in people if each.name == name), None)


def put_all(run: OpenRun, whispers: Mapping[str, Sequence[str]]) -> None:
    """Put the whispers of a history file into the inbox, and print how many."""
    with Inbox(run.folder) as inbox:
        for name, texts in whispers.items():
            for text in texts:
                inbox.put(OperatorRequest(kind="history", target=name, text=text))
    count = sum(len(texts) for texts in whispers.values())
    people = f"{len(whispers)} people" if len(whispers) != 1 else next(iter(whispers))
    say(f"{count} whispers for {people}, heard {run.from_when()}.")
