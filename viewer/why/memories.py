"""Memories with their scores as sums of parts, and the memories that were narrowly missed."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from nicegui import run as threads
from nicegui import ui

from smolville.agents.memory import Memory
from smolville.agents.persona import Weights
from smolville.agents.stream import CHANNELS, Recollection, Vector
from smolville.agents.times import moment as town_time
from smolville.agents.wording import format_count
from smolville.graphs.knowledge import with_facts
from smolville.graphs.loop.ledger import RecallRecord
from smolville.graphs.recall import best_memories
from smolville.graphs.reflect_questions import is_own_doing
from smolville.history.thoughts import StepView
from smolville.models.embedding.embedder import QUICK
from smolville.reports.runs import opened_run
from smolville.viewer.config import AppConfig
from smolville.viewer.controls import TROUBLE, sentence
from smolville.viewer.elements import box, link, short, words
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
        agents = {recall.agent for recall in recalls}
        streams = {name: stream_of(opened.reader, name, tick - 1, embedder) for name in agents}
        personas = {name: opened.persona(name) for name in agents}

    async def embed(texts: Sequence[str]) -> list[Vector]:
        # Nothing else runs in the loop that this blocks.
        return list(np.asarray(embedder.embed(list(texts)), np.float32))

    def repeat(recall: RecallRecord) -> RepeatedRecall:
        persona, stream = personas[recall.agent], streams[recall.agent]
        queries = [" ".join(query.split()) for query in recall.queries]
        ranked = asyncio.run(best_memories(persona, stream, embed, queries, at, len(stream)))
        came = with_facts(persona, ranked, recall.about, len(recall.ids))
        found = [*came, *(each for each in ranked if each not in came)]
        others = [each for each in found if not is_own_doing(each.memory, persona.name)]
        whole, reflected = (_repeated(each, recall, len(stream)) for each in (found, others))
        return reflected if reflected.is_same and not whole.is_same else whole

    return [repeat(each) for each in recalls]


def _repeated(found: Sequence[Recollection], recall: RecallRecord, among: int) -> RepeatedRecall:
    """Return a repeated recall, made from memories in order, the best first."""
    count = len(recall.ids)
    came, missed = tuple(found[:count]), tuple(found[count : count + MOST_MISSED])
    is_same = {each.memory.id for each in came} == set(recall.ids)
    return RepeatedRecall(came=came, missed=missed, among=among, is_same=is_same)


def draw_recalls(seen: ThoughtView, view: StepView) -> list[ui.element]:
    """Draw a step's recalled memories; return an element for the missed memories of each recall."""
    if not view.record.recalls:
        return []
    told = orjson.loads(view.attempts[0].call.recalled) if view.attempts else []
    rows = {each["id"]: each for each in told}
    with box("section", "recalls"):
        words("h3", "What it remembered")
        with box("p", "bar-key"):
            for name in QUALITIES:
                with box("span"):
                    box("span", f"bar-sample is-{name}", aria_hidden="true")
                    words("span", name)
        return [_draw(seen, recall, rows) for recall in view.record.recalls]


def _draw(
    seen: ThoughtView, recall: RecallRecord, rows: Mapping[str, Mapping[str, Any]]
) -> ui.element:
    """Draw one recall: its queries, the memories found, and an element for the missed ones."""
    with box("p", "queries"):
        words("span", f"{recall.agent}, asked for " if len(seen.agents) > 1 else "Asked for ")
        for query in recall.queries:
            short("q", query)
    if not recall.ids:
        words("p", "Nothing came back: there was no memory yet.", "soft")
        return box("div")
    shown = [_recollection(seen, id_, rows[id_], recall.agent) for id_ in recall.ids if id_ in rows]
    shown.sort(key=lambda each: (-each.score, each.memory.id))
    with box("ul", "memories"):
        for found in shown:
            _memory(seen, found, seen.weights.get(recall.agent))
    left = [id_ for id_ in recall.ids if id_ not in rows]
    if left:
        words("h4", "Came back, but was not shown: there was no room in the prompt")
        with box("ul", "memories is-missed"):
            for id_ in left:
                short("li", seen.texts.get(id_, id_), "memory-text", longest=LONGEST)
    return box("div")


def _memory(seen: ThoughtView, found: Recollection, weights: Weights | None) -> None:
    memory = found.memory
    with box("li", "memory"):
        words("span", f"{found.score:.3f}", "memory-score")
        with box("div"):
            short("div", memory.text, "memory-text", longest=LONGEST)
            if weights is not None:
                # A full bar is the highest possible score.
                most = sum(getattr(weights, name) for name in QUALITIES) or 1.0
                with box("div", "bar", aria_hidden="true"):
                    for name in QUALITIES:
                        share = 100 * getattr(weights, name) * getattr(found, name) / most
                        box("span", f"is-{name}").style(f"width: {share:.2f}%")
                words("span", f"= {found.explain(weights).split(' = ')[1]}", "memory-sum")
            owner, tick = [*memory.id.split("/"), ""][:2]
            if tick.isdigit():
                told = f"from day {town_time(int(tick) * seen.tick_seconds)}"
                link(told, run_address(seen.run, f"why/{owner}/{tick}"), "memory-from")


def _recollection(seen: ThoughtView, id_: str, row: Mapping[str, Any], agent: str) -> Recollection:
    text = seen.texts.get(id_, "(this memory is lost)")
    memory = Memory(id=id_, agent=agent, kind="event", text=text, created=0, tick=0, accessed=0)
    qualities = (row[name] for name in QUALITIES)
    return Recollection(memory, row["score"], *qualities, *(row.get(name) for name in CHANNELS))


def seek_missed(
    config: AppConfig, seen: ThoughtView, places: Sequence[tuple[RecallRecord, ui.element]]
) -> None:
    """Fill in the narrowly missed memories of each recall, from a background thread."""
    wanted = [(recall, place) for recall, place in places if recall.ids]

    async def fill_missed() -> None:
        found: list[RepeatedRecall] | str | None
        try:
            recalls = [recall for recall, _ in wanted]
            found = await threads.io_bound(compare_again, config, seen.run, seen.tick, recalls)
        except (*TROUBLE, *UNREADABLE) as error:
            found = f"What narrowly missed cannot be shown. {sentence(error)}"
        for number, (recall, place) in enumerate(wanted):
            if place.is_deleted or not found:
                continue
            place.clear()
            with place:
                if isinstance(found, str):
                    short("p", found, "soft")
                else:
                    _draw_missed(seen, recall, found[number])

    if wanted and seen.embedder in QUICK:
        ui.timer(0.05, fill_missed, once=True)
        return
    for _, place in wanted:
        with place:
            button = words("button", "Show what just missed", "button", type="button")
            button.on("click", fill_missed)
            short("p", f"Asks {seen.embedder} again, and compares all memories.", "soft")


def _draw_missed(seen: ThoughtView, recall: RecallRecord, compared: RepeatedRecall) -> None:
    among = format_count(compared.among, "memory", "memories")
    if recall.is_filtered or not compared.is_same:
        words("p", _FILTERED if recall.is_filtered else _OTHERWISE, "soft")
    elif not compared.missed:
        words("p", f"Nothing missed: there were {among}.")
    else:
        words("h4", f"Just missed, of {among}")
        with box("ul", "memories is-missed"):
            for each in compared.missed:
                _memory(seen, each, seen.weights.get(recall.agent))
