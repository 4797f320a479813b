"""One step of a thought as a card."""

import orjson
from nicegui import ui

from history.thoughts import StepView
from lab.evaluation.differences import outline
from lab.moments.moment import moment_digits
from viewer.frame import run_address
from viewer.why.attempts import draw_attempts
from viewer.why.elements import box, folded, link, named, raw, short, words
from viewer.why.memories import draw_recalls
from viewer.why.outcomes import chips, draw_odd, ending
from viewer.why.thought_view import ThoughtView


def anchor(number: int) -> str:
    """Return the HTML id of a step's card within its page."""
    return f"step-{number + 1}"


def draw_step(seen: ThoughtView, number: int, view: StepView) -> list[ui.element]:
    """Draw a step; return for each of its recalls the place for the missed memories."""
    record = view.record
    with named(box("section", "card step"), id=anchor(number), aria_label=_name(seen, view)):
        with box("div", "step-head"):
            with box("h2"):
                words("span", f"{number + 1}", "step-number")
                words("span", record.step, "step-name")
                if record.ordinal:
                    words("span", f"use {record.ordinal + 1}", "soft")
                if len(seen.agents) > 1:
                    short("span", record.agent, "soft")
            chips(record.outcome, is_odd=bool(record.odd))
            if view.attempts:
                digits = moment_digits(record.owner, record.tick, record.step, record.ordinal)
                link("Open in the lab", run_address(seen.run, f"lab/{digits}"), "button")
        words("p", ending(view), "step-ending")
        _draw_answer(view)
        places = draw_recalls(seen, view)
        draw_attempts(view)
    return places


def _name(seen: ThoughtView, view: StepView) -> str:
    whose = f", {view.record.agent}" if len(seen.agents) > 1 else ""
    odd = ", odd" if view.record.odd else ""
    return f"{view.record.step}{whose}: {view.record.outcome}{odd}"


def _draw_answer(view: StepView) -> None:
    """Draw the parsed answer, or the fallback used instead."""
    record = view.record
    is_fallback = record.outcome == "fallback"
    words("h3", "The fallback that was used" if is_fallback else "The answer")
    with box("div", "answer is-fallback" if is_fallback else "answer"):
        for line in outline(orjson.loads(record.answer)):
            words("div", line, "answer-line is-inner" if line.startswith("  ") else "answer-line")
    draw_odd(record.odd_kinds, record.odd)
    if record.problems:
        words("h4", "What was wrong with the last answer")
        with box("ul", "problems"):
            for problem in record.problems:
                short("li", problem, longest=2_000)
    with folded("As JSON"):
        raw(record.answer, "The answer as JSON")
