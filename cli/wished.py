"""Leaves wishes in a run's inbox, and says from when they hold."""

from collections.abc import Mapping, Sequence
from typing import Literal

from agents.errors import RunError
from cli.screen import one_line, say
from world.runs.inbox import Inbox, Wish
from world.telling.opening import Open


def worded(text: str, what: str) -> str:
    """Return what an operator wrote on one line; RunError when there is nothing."""
    plain = one_line(text).strip()
    if not plain:
        raise RunError(f"{what} needs some words.")
    return plain


def put(
    run: Open, kind: Literal["whisper", "object_state"], target: str, text: str, effect: str
) -> None:
    """Leave one wish, and say what it does and from when."""
    with Inbox(run.folder) as inbox:
        inbox.put(Wish(kind=kind, target=target, text=text))
    say(f"{effect} {from_when(run)}.")


def put_all(run: Open, whispers: Mapping[str, Sequence[str]]) -> None:
    """Leave a history's whispers."""
    with Inbox(run.folder) as inbox:
        for name, texts in whispers.items():
            for text in texts:
                inbox.put(Wish(kind="history", target=name, text=text))
    count = sum(len(texts) for texts in whispers.values())
    people = f"{len(whispers)} people" if len(whispers) != 1 else next(iter(whispers))
    say(f"{count} whispers for {people}, heard {from_when(run)}.")


def from_when(run: Open) -> str:
    """Return from when on a wish holds."""
    if run.state() == "running":
        return "from the next tick on (the run is going on)"
    return f"from {run.when(run.at)} on, when the run goes on"
