"""Leaves wishes in a run's inbox, and says from when they hold."""

from collections.abc import Mapping, Sequence
from typing import Literal

from cli.screen import say
from world.runs.inbox import Inbox, Wish
from world.telling.opening import Open


def put(
    run: Open, kind: Literal["whisper", "object_state"], target: str, text: str, effect: str
) -> None:
    """Leave one wish, and say what it does and from when."""
    with Inbox(run.folder) as inbox:
        inbox.put(Wish(kind=kind, target=target, text=text))
    say(f"{effect} {run.from_when()}.")


def put_all(run: Open, whispers: Mapping[str, Sequence[str]]) -> None:
    """Leave a history's whispers."""
    with Inbox(run.folder) as inbox:
        for name, texts in whispers.items():
            for text in texts:
                inbox.put(Wish(kind="history", target=name, text=text))
    count = sum(len(texts) for texts in whispers.values())
    people = f"{len(whispers)} people" if len(whispers) != 1 else next(iter(whispers))
    say(f"{count} whispers for {people}, heard {run.from_when()}.")
