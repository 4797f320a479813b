"""Memories with their scores as sums of parts, and the memories that were narrowly missed."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from nicegui import run as threads
from nicegui import ui

from smolville.agents.memory import Memory
from smolville.agents.persona import Persona, Weights
from smolville.agents.stream import CHANNELS, MemoryStream, Recollection, Vector
from smolville.agents.times import moment as town_time
from smolville.agents.wording import format_count
from smolville.graphs.knowledge import with_facts
from smolville.graphs.loop.ledger import RecallRecord
from smolville.graphs.recall import best_memories
from smolville.graphs.reflect_questions import is_own_doing
from smolville.history.thoughts import StepView
from smolville.models.embedding.embedder import QUICK, Embedder
from smolville.reports.runs import opened_run
from smolville.viewer.config import AppConfig
from smolville.viewer.controls import TROUBLE, sentence
from smolville.viewer.elements import box, link, set_attributes, short, words
from smolville.viewer.frame import run_address
from smolville.viewer.why.thought_view import UNREADABLE, ThoughtView
from smolville.world.streams import stream_of

MOST_MISSED = 5
"""Maximum number of narrowly missed memories shown for a recall."""

QUALITIES = ("recency", "importance", "relevance")
LONGEST = 600
"""Maximum number of characters shown of a memory."""
_OTHERWISE = (
    "What narrowly missed cannot be shown: compared again today, other memories come back, as when "
    "they were embedded by another model then."
)
_FILTERED = (
    "What narrowly missed is not shown: what the prompt says already, and everyday sights that "
    "what was said does not speak of, were left out before the best were taken."
)
Places = Sequence[tuple[RecallRecord, ui.element]]


@dataclass(frozen=True, kw_only=True)
class RepeatedRecall:
    """A thought's recall, made again from the memories that existed at that time."""

    came: tuple[Recollection, ...]
    """The best memories, as many as were recalled at the time."""
    missed: tuple[Recollection, ...]
    """The memories that came next in the order of scores."""
    among: int
    """Total number of memories compared."""
    is_same: bool
    """True if the same memories were recalled as at the time."""


def compare_again(
    config: AppConfig, run: str, tick: int, recalls: Sequence[RecallRecord]
) -> list[RepeatedRecall]:
    """Repeat a thought's recalls, and return the results in order.

    No memory is marked as accessed by this. If a result differs from the recorded one, the agent's
    own actions are left out, as in a reflection; this is kept if it agrees with the record. Raises
    SmolvilleError or ModelError if the town or the embedder is not available.
    """
    with opened_run(config.runs, run) as opened:
        embedder = config.embedder(opened.folder.spec)
        at = tick * opened.folder.spec.tick_seconds
        streams = {
            agent: stream_of(opened.reader, agent, tick - 1, embedder)
            for agent in {recall.agent for recall in recalls}
        }
        personas = {agent: opened.persona(agent) for agent in streams}
    return [
        _repeat_recall(personas[each.agent], streams[each.agent], embedder, each, tick, at)
        for each in recalls
    ]


def _repeat_recall(
    persona: Persona,
    stream: MemoryStream,
    embedder: Embedder,
    recall: RecallRecord,
    tick: int,
    at: int,
) -> RepeatedRecall:
    queries = [" ".join(query.split()) for query in recall.queries]
    everything = len(stream)
    ranked = asyncio.run(
        best_memories(persona, stream, _BlockingEmbedder(embedder), queries, at, everything)
    )
    came = with_facts(persona, ranked, recall.about, len(recall.ids))
    found = [*came, *(each for each in ranked if each not in came)]
    whole = _make_repeated_recall(found, recall, everything)
    if whole.is_same:
        return whole
    others = [each for each in found if not is_own_doing(each.memory, persona.name)]
    reflected = _make_repeated_recall(others, recall, everything)
    return reflected if reflected.is_same else whole


def _make_repeated_recall(
    found: Sequence[Recollection], recall: RecallRecord, among: int
) -> RepeatedRecall:
    """Return a repeated recall, made from memories in order, the best first.

    It has as many memories as the recorded recall, and the next ones as narrowly missed.
    """
    count = len(recall.ids)
    came, missed = tuple(found[:count]), tuple(found[count : count + MOST_MISSED])
    is_same = {each.memory.id for each in came} == set(recall.ids)
    return RepeatedRecall(came=came, missed=missed, among=among, is_same=is_same)


class _BlockingEmbedder:
    """An embedder that blocks its event loop while it works; nothing else runs in that loop."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def __call__(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text."""
        return list(np.asarray(self._embedder.embed(list(texts)), np.float32))


def draw_recalls(seen: ThoughtView, view: StepView) -> list[ui.element]:
    """Draw a step's recalled memories; return an element for the missed memories of each recall."""
    if not view.record.recalls:
        return []
    rows = _read_scores(view)
    with box("section", "recalls"):
        words("h3", "What it remembered")
        _key()
        return [_draw(seen, recall, rows) for recall in view.record.recalls]


def _draw_missed(
    place: ui.element, seen: ThoughtView, recall: RecallRecord, compared: RepeatedRecall
) -> None:
    """Draw the narrowly missed memories, below the recalled ones."""
    place.clear()
    weights = seen.weights.get(recall.agent)
    with place:
        if recall.is_filtered or not compared.is_same:
            words("p", _FILTERED if recall.is_filtered else _OTHERWISE, "soft")
            return
        if not compared.missed:
            words(
                "p",
                f"Nothing missed: there were {format_count(compared.among, 'memory', 'memories')}.",
            )
            return
        words("h4", f"Just missed, of {format_count(compared.among, 'memory', 'memories')}")
        with box("ul", "memories is-missed"):
            for found in compared.missed:
                _memory(seen, found, weights)


def _key() -> None:
    """Draw the legend of the bars."""
    with box("p", "bar-key"):
        for name in QUALITIES:
            with box("span"):
                set_attributes(box("span", f"bar-sample is-{name}"), aria_hidden="true")
                words("span", name)


def _draw(
    seen: ThoughtView, recall: RecallRecord, rows: Mapping[str, Mapping[str, Any]]
) -> ui.element:
    """Draw one recall: its queries, the memories found, and an element for the missed ones."""
    weights = seen.weights.get(recall.agent)
    whose = f"{recall.agent}, asked for " if len(seen.agents) > 1 else "Asked for "
    with box("p", "queries"):
        words("span", whose)
        for query in recall.queries:
            short("q", query)
    if not recall.ids:
        words("p", "Nothing came back: there was no memory yet.", "soft")
        return box("div")
    shown = [_recollection(seen, id_, rows[id_], recall.agent) for id_ in recall.ids if id_ in rows]
    shown.sort(key=lambda each: (-each.score, each.memory.id))
    with box("ul", "memories"):
        for found in shown:
            _memory(seen, found, weights)
    left = [id_ for id_ in recall.ids if id_ not in rows]
    if left:
        words("h4", "Came back, but was not shown: there was no room in the prompt")
        with box("ul", "memories is-missed"):
            for id_ in left:
                short("li", seen.texts.get(id_, id_), "memory-text", longest=LONGEST)
    return box("div")


def _memory(seen: ThoughtView, found: Recollection, weights: Weights | None) -> None:
    """Draw one memory with its score."""
    memory = found.memory
    with box("li", "memory"):
        words("span", f"{found.score:.3f}", "memory-score")
        with box("div"):
            short("div", memory.text, "memory-text", longest=LONGEST)
            if weights is not None:
                _bar(found, weights)
                words("span", f"= {found.explain(weights).split(' = ')[1]}", "memory-sum")
            owner, tick = [*memory.id.split("/"), ""][:2]
            if tick.isdigit():
                when = town_time(int(tick) * seen.tick_seconds)
                link(
                    f"from day {when}", run_address(seen.run, f"why/{owner}/{tick}"), "memory-from"
                )


def _bar(found: Recollection, weights: Weights) -> None:
    """Draw a score as a bar of its parts; a full bar is the highest possible score."""
    most = sum(getattr(weights, name) for name in QUALITIES) or 1.0
    with set_attributes(box("div", "bar"), aria_hidden="true"):
        for name in QUALITIES:
            share = 100 * getattr(weights, name) * getattr(found, name) / most
            box("span", f"is-{name}").style(f"width: {share:.2f}%")


def _read_scores(view: StepView) -> dict[str, Mapping[str, Any]]:
    """Return the scores of the memories in the first prompt, by id."""
    told: Iterable[Mapping[str, Any]] = (
        orjson.loads(view.attempts[0].call.recalled) if view.attempts else ()
    )
    return {each["id"]: each for each in told}


def _recollection(seen: ThoughtView, id_: str, row: Mapping[str, Any], agent: str) -> Recollection:
    memory = Memory(
        id=id_,
        agent=agent,
        kind="event",
        text=seen.texts.get(id_, "(this memory is lost)"),
        created=0,
        tick=0,
        accessed=0,
    )
    qualities = (row[name] for name in QUALITIES)
    return Recollection(memory, row["score"], *qualities, *(row.get(name) for name in CHANNELS))


def seek_missed(config: AppConfig, seen: ThoughtView, places: Places) -> None:
    """Fill in the narrowly missed memories of each recall, from a background thread."""
    wanted = [(recall, place) for recall, place in places if recall.ids]

    async def fill_missed() -> None:
        recalls = [recall for recall, _ in wanted]
        try:
            found = await threads.io_bound(compare_again, config, seen.run, seen.tick, recalls)
        except (*TROUBLE, *UNREADABLE) as error:
            _complain(wanted, f"What narrowly missed cannot be shown. {sentence(error)}")
            return
        _draw_results(seen, wanted, found or [])

    if wanted and seen.embedder in QUICK:
        ui.timer(0.05, fill_missed, once=True)
        return
    for _, place in wanted:
        with place:
            button = words("button", "Show what just missed", "button")
            set_attributes(button, type="button").on("click", fill_missed)
            short("p", f"Asks {seen.embedder} again, and compares all memories.", "soft")


def _draw_results(seen: ThoughtView, wanted: Places, found: Sequence[RepeatedRecall]) -> None:
    """Draw the results, unless the page was left in the meantime."""
    for (recall, place), compared in zip(wanted, found, strict=False):
        if not place.is_deleted:
            _draw_missed(place, seen, recall, compared)


def _complain(wanted: Places, text: str) -> None:
    for _, place in wanted:
        if not place.is_deleted:
            place.clear()
            with place:
                short("p", text, "soft")
