"""One step of a thought as a card: the answer, the memories recalled, and every attempt.

An outcome is a word, a shape and a sentence, so that it can be recognised without colour.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from nicegui import ui

from smolville.agents.memory import Memory
from smolville.agents.persona import Weights
from smolville.agents.stream import CHANNELS, Recollection
from smolville.agents.times import moment as town_time
from smolville.agents.wording import format_count, format_seconds, percent
from smolville.graphs.loop.ledger import Call, RecallRecord
from smolville.history.records import RecordedAttempt, StepView
from smolville.lab.evaluation.answers import outline
from smolville.lab.moments.moment import moment_digits
from smolville.viewer.elements import (
    box,
    facts,
    link,
    make_folded_section,
    short,
    show_raw_text,
    words,
)
from smolville.viewer.frame import run_address
from smolville.viewer.step_names import both_names, plain_name
from smolville.viewer.why.thought_view import ThoughtView

LONGEST = 2_000
"""Maximum number of characters shown of a problem."""
ENDINGS = {
    "clean": "The first answer was accepted as it was.",
    "mended": "The first answer was accepted once code had mended it.",
    "repaired": "The answer was accepted after {repairs}.",
    "escalated": "The strong model's answer was accepted, after {calls} in all.",
    "fallback": (
        "No answer could be used after {calls}: no model's answer stands behind what follows. The "
        "step's declared fallback decided."
    ),
}


QUALITIES = ("recency", "importance", "relevance")
SHAPES: Mapping[str, str] = {
    "clean": "●",
    "mended": "◐",
    "repaired": "◆",
    "escalated": "▲",
    "fallback": "□",
    "failed": "✕",
    "odd": "◇",
    "unasked": "○",
    "": "○",
}
TOKENS = ("prompt_tokens", "completion_tokens", "thinking_tokens", "cached_tokens")
"""The counts of a call's tokens."""


def anchor(number: int) -> str:
    """Return the HTML id of a step's card within its page."""
    return f"step-{number + 1}"


def draw_step(seen: ThoughtView, number: int, view: StepView) -> None:
    """Draw a step."""
    record = view.record
    with box("section", "card step", id=anchor(number), aria_label=_name(seen, view)):
        with box("div", "step-head"):
            with box("h2"):
                words("span", f"{number + 1}", "step-number")
                words("span", plain_name(record.step), "step-plain")
                words("code", record.step, "step-name")
                if record.ordinal:
                    words("span", f"use {record.ordinal + 1}", "soft")
                if len(seen.agents) > 1:
                    short("span", record.agent, "soft")
            chips(record.outcome, is_odd=bool(record.odd))
            if view.attempts:
                digits = moment_digits(record.owner, record.tick, record.step, record.ordinal)
                link("Open in the lab", run_address(seen.run, f"lab/{digits}"), "button")
        told = ENDINGS[record.outcome].format(
            calls=format_count(record.attempts, "call"),
            repairs=format_count(record.attempts - 1, "repair"),
        )
        odd = " A check says that something in it makes no sense." * bool(record.odd)
        words("p", told + odd, "step-ending")
        _draw_answer(view)
        draw_recalls(seen, view)
        _draw_attempts(view)


def _name(seen: ThoughtView, view: StepView) -> str:
    whose = f", {view.record.agent}" if len(seen.agents) > 1 else ""
    odd = ", odd" if view.record.odd else ""
    return f"{both_names(view.record.step)}{whose}: {view.record.outcome}{odd}"


def _draw_answer(view: StepView) -> None:
    record = view.record
    is_fallback = record.outcome == "fallback"
    words("h3", "The fallback that was used" if is_fallback else "The answer")
    with box("div", "answer is-fallback" if is_fallback else "answer"):
        for line in outline(orjson.loads(record.answer)):
            words("div", line, "answer-line is-inner" if line.startswith("  ") else "answer-line")
    draw_list(objected_to(record.odd_kinds), record.odd, "problems odd")
    draw_list("What was wrong with the last answer", record.problems, "problems")
    with make_folded_section("As JSON"):
        show_raw_text(record.answer, "The answer as JSON")


def _draw_attempts(view: StepView) -> None:
    told: list[dict[str, Any]] = []
    for attempt in view.attempts:
        number = attempt.call.key.attempt
        with box("section", "attempt"):
            if len(view.attempts) > 1:
                words("h3", f"Repair {number}" if number else "First question")
            messages = orjson.loads(attempt.call.messages)
            _draw_messages(messages, told if number else [])
            _draw_reply(attempt)
            _draw_facts(attempt.call)
        told = messages


def _draw_messages(messages: list[dict[str, Any]], told: list[dict[str, Any]]) -> None:
    """Draw the messages to the model, without those that the previous attempt also sent."""
    words("h4", "What the model got")
    pairs = enumerate(zip(told, messages, strict=False))
    same = next((n for n, (one, other) in pairs if one != other), min(len(told), len(messages)))
    if same:
        words("p", f"The same {format_count(same, 'message')} as before, and then:", "soft")
    with box("ol", "messages"):
        for message in messages[same:]:
            role = message["role"]
            kind = role if role in ("system", "user", "assistant") else "other"
            with box("li", f"message is-{kind}"):
                with box("div", "message-role"):
                    short("span", role, "role", longest=40)
                show_raw_text(message["content"], f"The {kind} message, as the model got it")


def _draw_reply(attempt: RecordedAttempt) -> None:
    call, reading = attempt.call, attempt.reading
    words("h4", "What it wrote")
    if call.thinking:
        with make_folded_section(f"What it thought aloud, {len(call.thinking):,} letters"):
            show_raw_text(call.thinking, "What the model thought aloud")
    if call.reply:
        show_raw_text(call.reply, "The reply as the model wrote it")
    else:
        words("p", "Nothing.", "soft")
    if call.finish == "length":
        words("p", "The reply was cut at its allowance of tokens.", "problem-line")
    if reading is None:
        words("p", "The step ended before this reply was read.", "soft")
        return
    draw_list("Mended in code", reading.mends, "mends")
    draw_list("Problems", reading.problems, "problems")
    if not reading.problems and not reading.accepted:
        words("p", "It was not accepted.", "problem-line")


def draw_list(title: str, told: tuple[str, ...], classes: str) -> None:
    """Draw sentences below a title; draws nothing if there are none."""
    if told:
        words("h4", title)
        with box("ul", classes):
            for each in told:
                short("li", each, longest=LONGEST)


def _draw_facts(call: Call) -> None:
    facts(
        {
            **tokens({name: getattr(call, name) for name in TOKENS}),
            "Took": format_seconds(call.milliseconds) if call.source == "model" else "",
            "Model": call.model,
            "Template": call.template,
        }
    )
    with make_folded_section("How it was asked"):
        facts(_format_call_parameters(call))
        draw_list("Lost on the way", tuple(map(str, orjson.loads(call.lost))), "problems")


def _format_call_parameters(call: Call) -> dict[str, str]:
    examples = len(orjson.loads(call.examples))
    return {
        "Tier": call.tier,
        "Temperature": f"{call.temperature:g}",
        "Seed": str(call.seed),
        "At most": format_count(call.max_tokens, "token"),
        "Held to a schema": "yes" if call.schema else "no",
        "Ended": call.finish,
        "Answered by": "the reply cache" if call.source == "cache" else "the model",
        "Examples shown": str(examples) if examples else "",
        "Left out for room": format_count(call.dropped, "entry", "entries") if call.dropped else "",
        "Lost calls": str(call.retries) if call.retries else "",
        "Prompts cut": str(call.cuts) if call.cuts else "",
    }


def draw_recalls(seen: ThoughtView, view: StepView) -> None:
    """Draw a step's recalled memories, with the scores that were summed."""
    if not view.record.recalls:
        return
    told = orjson.loads(view.attempts[0].call.recalled) if view.attempts else []
    rows = {each["id"]: each for each in told}
    with box("section", "recalls"):
        words("h3", "What it remembered")
        with box("p", "bar-key"):
            for name in QUALITIES:
                with box("span"):
                    box("span", f"bar-sample is-{name}", aria_hidden="true")
                    words("span", name)
        for recall in view.record.recalls:
            _draw_recall(seen, recall, rows)


def _draw_recall(
    seen: ThoughtView, recall: RecallRecord, rows: Mapping[str, Mapping[str, Any]]
) -> None:
    with box("p", "queries"):
        words("span", f"{recall.agent}, asked for " if len(seen.agents) > 1 else "Asked for ")
        for query in recall.queries:
            short("q", query)
    if not recall.ids:
        words("p", "Nothing came back: there was no memory yet.", "soft")
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


def chip(outcome: str) -> ui.element:
    """Add an outcome as a word with its shape, and return the element."""
    word = outcome or "nothing asked"
    with box("span", f"outcome is-{outcome or 'silent'}") as whole:
        words("span", SHAPES.get(outcome, "■"), "outcome-shape", aria_hidden="true")
        words("span", word)
    return whole


def chips(outcome: str, *, is_odd: bool) -> None:
    """Draw an outcome, and beside it a mark if something is odd."""
    chip(outcome)
    if is_odd:
        chip("odd")


def objected_to(kinds: Sequence[str]) -> str:
    """Return the title above what is odd about an accepted answer."""
    return f"Objected to: {', '.join(dict.fromkeys(kinds))}"


def tokens(told: Mapping[str, float | None]) -> dict[str, str]:
    """Return token counts by name; a count is empty if unknown, the thinking count also if zero."""
    cached, prompt = told["cached_tokens"], told["prompt_tokens"]
    share = percent(cached, prompt) if cached is not None and prompt else ""
    return {
        "Prompt": _count(prompt),
        "Reply": _count(told["completion_tokens"]),
        "Thinking": _count(told["thinking_tokens"] or None),
        "Prompt cached": share,
    }


def _count(number: float | None) -> str:
    return "" if number is None else format_count(int(number), "token")
