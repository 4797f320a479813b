"""Error messages of why pages: a sentence, and links to go on."""

import asyncio
import sqlite3
from collections.abc import Callable
from typing import TypeVar

from nicegui import ui

from viewer.controls import TROUBLE, sentence
from viewer.frame import frame, run_address
from viewer.styles import style
from viewer.why.elements import box, link, named, short, words
from viewer.why.thought_view import UNREADABLE, NoThought

T = TypeVar("T")
SHEETS = ("why", "why_words", "why_step", "why_lab")


async def or_say(run: str, title: str, read: Callable[[], T]) -> T | None:
    """Return the result of `read`, run in a thread.

    On an error, show a sentence on the page and return None.
    """
    try:
        return await asyncio.to_thread(read)
    except TROUBLE as error:
        _draw(run, title, sentence(error), error)
    except (*UNREADABLE, sqlite3.Error) as error:
        _draw(run, title, f"This part of the run's history is damaged: {error}.", error)
    return None


def say_trouble(text: str) -> None:
    """Draw an error sentence."""
    named(short("p", text, "trouble", longest=2_000), role="status")


def _draw(run: str, title: str, text: str, error: Exception) -> None:
    ui.context.client.status_code = 404
    near = error.near if isinstance(error, NoThought) else ()
    style(*SHEETS)
    with frame(title, run), box("section", "card"):
        say_trouble(text)
        if near:
            words("p", "The nearest thoughts:")
            with box("ul"):
                for each in near:
                    with box("li"):
                        address = run_address(run, f"why/{each.agent}/{each.tick}")
                        link(f"{each.agent}, {each.time}", address)
        with box("p"):
            link("Back to the town", run_address(run), "button")
