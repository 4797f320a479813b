"""One step of a thought as a card: the answer, the memories recalled, and every attempt."""

from typing import Any

import orjson
from nicegui import ui

from smolville.agents.times import minute_at, minute_of
from smolville.agents.wording import format_count
from smolville.graphs.loop.ledger import Call
from smolville.history.thoughts import RecordedAttempt, StepView
from smolville.lab.evaluation.answers import outline
from smolville.lab.evaluation.summary import format_seconds
from smolville.lab.moments.moment import moment_digits
from smolville.lab.prompting.rendering import ChatMessage, repairs_in
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
from smolville.viewer.why.memories import draw_recalls
from smolville.viewer.why.outcomes import chips, draw_odd
from smolville.viewer.why.sentences import TOKENS, tokens
from smolville.viewer.why.thought_view import ThoughtView

LONGEST = 2_000
"""Maximum number of characters shown of a problem."""
GIST = 400
"""Maximum number of characters shown of a refused reply; its attempt shows the whole reply."""
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


def anchor(number: int) -> str:
    """Return the HTML id of a step's card within its page."""
    return f"step-{number + 1}"


def draw_step(seen: ThoughtView, number: int, view: StepView) -> list[ui.element]:
    """Draw a step; return an element for the missed memories of each of its recalls."""
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
        if about := told_hours(view, seen.at):
            short("p", about, "soft", longest=400)
        told = ENDINGS[record.outcome].format(
            calls=format_count(record.attempts, "call"),
            repairs=format_count(record.attempts - 1, "repair"),
        )
        odd = " A check says that something in it makes no sense." * bool(record.odd)
        words("p", told + odd, "step-ending")
        _draw_answer(view)
        _draw_refused(view)
        places = draw_recalls(seen, view)
        _draw_attempts(view)
    return places


def told_hours(view: StepView, at: int) -> str:
    """Return the hours that a step concerns, in a thought at `at`; empty if it concerns none."""
    asked = orjson.loads(view.attempts[0].call.inputs) if view.attempts else {}
    if not {"start", "end", "activity"} <= asked.keys():
        return ""
    hours = f"{asked['start']} to {asked['end']}: {asked['activity']}."
    is_ahead = minute_at(asked["start"]) > minute_of(at)
    return f"It looks ahead to {hours}" if is_ahead else f"It is about {hours}"


def _name(seen: ThoughtView, view: StepView) -> str:
    whose = f", {view.record.agent}" if len(seen.agents) > 1 else ""
    odd = ", odd" if view.record.odd else ""
    return f"{both_names(view.record.step)}{whose}: {view.record.outcome}{odd}"


def _draw_answer(view: StepView) -> None:
    """Draw the parsed answer, or the fallback used instead."""
    record = view.record
    is_fallback = record.outcome == "fallback"
    words("h3", "The fallback that was used" if is_fallback else "The answer")
    with box("div", "answer is-fallback" if is_fallback else "answer"):
        for line in outline(orjson.loads(record.answer)):
            words("div", line, "answer-line is-inner" if line.startswith("  ") else "answer-line")
    draw_odd(record.odd_kinds, record.odd)
    _draw_list("What was wrong with the last answer", record.problems, "problems")
    with make_folded_section("As JSON"):
        show_raw_text(record.answer, "The answer as JSON")


def _draw_refused(view: StepView) -> None:
    """Draw each refused reply with its reasons, and what replaced it."""
    read = [(each.call.reply.strip(), each.reading) for each in view.attempts if each.reading]
    refused = [each for each in read if not each[1].accepted]
    if not refused:
        return
    words("h3", "What was refused, and what came instead")
    with box("ol", "refused"):
        for reply, reading in refused:
            with box("li"):
                short("q", reply or "(nothing)", longest=GIST)
                with box("ul", "problems"):
                    for problem in reading.problems or ("It could not be accepted.",):
                        short("li", problem, longest=2_000)
        with box("li", "instead"):
            accepted = next((reply for reply, reading in read if reading.accepted), None)
            if accepted is None:
                words("span", "Nothing that could be used: the declared fallback above was taken.")
            else:
                words("span", "Accepted instead: ")
                short("q", accepted, longest=GIST)


def _draw_attempts(view: StepView) -> None:
    told: list[dict[str, Any]] = []
    for attempt in view.attempts:
        messages = orjson.loads(attempt.call.messages)
        number = attempt.call.key.attempt
        with box("section", "attempt"):
            if len(view.attempts) > 1:
                words("h3", f"Repair {number}" if number else "First question")
            sent = [ChatMessage(each["role"], each["content"]) for each in messages]
            repairs = repairs_in(sent, [each.call.reply for each in view.attempts[:number]])
            question = len(messages) - 2 * repairs - 1
            _draw_messages(messages, told if number else [], question)
            _draw_reply(attempt)
            _draw_facts(attempt.call)
        told = messages


def _draw_messages(
    messages: list[dict[str, Any]], told: list[dict[str, Any]], question: int
) -> None:
    """Draw the messages to the model, without those that the previous attempt also sent.

    `question` is the index of the message with the question; repair messages come after it.
    """
    words("h4", "What the model got")
    pairs = enumerate(zip(told, messages, strict=False))
    same = next((n for n, (one, other) in pairs if one != other), min(len(told), len(messages)))
    if same:
        words("p", f"The same {format_count(same, 'message')} as before, and then:", "soft")
    with box("ol", "messages"):
        for number, message in enumerate(messages[same:], same):
            role = message["role"]
            name = _message_name(number, role, question)
            kind = role if role in ("system", "user", "assistant") else "other"
            with box("li", f"message is-{kind}"):
                with box("div", "message-role"):
                    short("span", role, "role", longest=40)
                    words("span", name)
                show_raw_text(message["content"], f"{name}, as the model got it")


def _message_name(number: int, role: str, question: int) -> str:
    is_own = role == "assistant"
    if number > question:
        return "Its wrong answer" if is_own else "What is wrong with it"
    if number == question:
        return "Question"
    if role == "system":
        return "Rules"
    return "What it said before" if is_own else "What it was told before"


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
    _draw_list("Mended in code", reading.mends, "mends")
    _draw_list("Problems", reading.problems, "problems")
    if not reading.problems and not reading.accepted:
        words("p", "It was not accepted.", "problem-line")


def _draw_list(title: str, told: tuple[str, ...], classes: str) -> None:
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
        _draw_list("Lost on the way", tuple(map(str, orjson.loads(call.lost))), "problems")


def _format_call_parameters(call: Call) -> dict[str, str]:
    examples = len(orjson.loads(call.examples))
    return {
        "Tier": call.tier,
        "Temperature": f"{call.temperature:g}",
        "Seed": str(call.seed),
        "At most": format_count(call.max_tokens, "token"),
        "Held to a schema": "yes" if call.schema else "no",
        "Ended": call.finish,
        "Slot": "" if call.slot is None else str(call.slot),
        "Answered by": "the reply cache" if call.source == "cache" else "the model",
        "Reading the prompt": "" if call.prompt_ms is None else format_seconds(call.prompt_ms),
        "Writing the reply": "" if call.reply_ms is None else format_seconds(call.reply_ms),
        "Cached tokens": "" if call.cached_tokens is None else str(call.cached_tokens),
        "Examples shown": str(examples) if examples else "",
        "Left out for room": format_count(call.dropped, "entry", "entries") if call.dropped else "",
        "Lost calls": str(call.retries) if call.retries else "",
        "Prompts cut": str(call.cuts) if call.cuts else "",
    }
