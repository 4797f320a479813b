"""Shows memories that narrowly missed: at once where that is cheap, otherwise on request."""

from collections.abc import Sequence

from nicegui import run as threads
from nicegui import ui

from graphs.loop.ledger import RecallRecord
from models.embedding.embedder import QUICK
from viewer.controls import TROUBLE, sentence
from viewer.house import AppRuns
from viewer.why.elements import named, short, words
from viewer.why.memories import draw_missed
from viewer.why.missed import RepeatedRecall, compare_again
from viewer.why.thought_view import UNREADABLE, ThoughtView

Places = Sequence[tuple[RecallRecord, ui.element]]


def seek_missed(house: AppRuns, seen: ThoughtView, places: Places) -> None:
    """Fill in the memories that narrowly missed each recall, from a background thread."""
    wanted = [(recall, place) for recall, place in places if recall.ids]

    async def tell() -> None:
        recalls = [recall for recall, _ in wanted]
        try:
            found = await threads.io_bound(compare_again, house, seen.run, seen.tick, recalls)
        except (*TROUBLE, *UNREADABLE) as error:
            _complain(wanted, f"What just missed cannot be told. {sentence(error)}")
            return
        _fill(seen, wanted, found or [])

    if wanted and seen.embedder in QUICK:
        ui.timer(0.05, tell, once=True)
        return
    for _, place in wanted:
        with place:
            button = words("button", "Show what just missed", "button")
            named(button, type="button").on("click", tell)
            short("p", f"Asks {seen.embedder} again, and compares all memories.", "soft")


def _fill(seen: ThoughtView, wanted: Places, found: Sequence[RepeatedRecall]) -> None:
    """Draw the results, unless the page was left in the meantime."""
    for (recall, place), compared in zip(wanted, found, strict=False):
        if not place.is_deleted:
            draw_missed(place, seen, recall, compared)


def _complain(wanted: Places, text: str) -> None:
    for _, place in wanted:
        if not place.is_deleted:
            place.clear()
            with place:
                short("p", text, "soft")
