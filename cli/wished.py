"""Leaves wishes in a run's inbox, and says from when they hold."""

from collections.abc import Mapping, Sequence
from typing import Literal

from agents.wording import worded
from cli.screen import say
from world.meaning import find_thing, read_object_wish
from world.records import Tile
from world.runs.inbox import Inbox, Wish
from world.telling.opening import Open
from world.telling.present import presences


def put(
    run: Open, kind: Literal["whisper", "object_state"], target: str, text: str, effect: str
) -> None:
    """Leave one wish, and say what it does and from when."""
    with Inbox(run.folder) as inbox:
        inbox.put(Wish(kind=kind, target=target, text=text))
    say(f"{effect} {run.from_when()}.")


def object_meant(run: Open, thing: str, state: str | None, near: str | None) -> tuple[str, str]:
    """Return the address of the object that is meant, and how it is to be.

    Without a state, `thing` is a sentence that says both.
    """
    beside = None if near is None else tile_of(run, run.person(near))
    if state is not None:
        return find_thing(thing, run.town.map, beside), worded(state, "a state")
    meant = read_object_wish(thing, run.town.map, beside)
    return meant.address, meant.state


def tile_of(run: Open, name: str) -> Tile | None:
    """Return where somebody stands; None before the run's first commit."""
    people = presences(run.reader, run.town.map, run.tick)
    return next((each.tile for each in people if each.name == name), None)


def put_all(run: Open, whispers: Mapping[str, Sequence[str]]) -> None:
    """Leave a history's whispers."""
    with Inbox(run.folder) as inbox:
        for name, texts in whispers.items():
            for text in texts:
                inbox.put(Wish(kind="history", target=name, text=text))
    count = sum(len(texts) for texts in whispers.values())
    people = f"{len(whispers)} people" if len(whispers) != 1 else next(iter(whispers))
    say(f"{count} whispers for {people}, heard {run.from_when()}.")
