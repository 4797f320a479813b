"""Answers side by side: the stored one, and those of a trial."""

from collections.abc import Sequence

from agents.numbers import many
from lab.evaluation.agreement import agreement
from lab.evaluation.answers import MOST_PROBLEMS
from lab.evaluation.asking import as_it_was
from lab.evaluation.differences import outline
from lab.evaluation.results import Evaluation, Result
from lab.evaluation.shown import mean_told, seconds_told, tokens_told
from lab.moments.moment import Moment
from viewer.why.elements import box, facts, folded, named, raw, short, words
from viewer.why.outcomes import chips, draw_odd


def draw_tried(moment: Moment, evaluation: Evaluation) -> None:
    """Draw the stored answer beside the new ones."""
    then = as_it_was(moment)
    stored = list(outline(then.answer))
    (name,) = evaluation.variants
    with box("div", "tried"):
        _draw("Stored", moment.attempts[0].call.model, then, stored, {})
        for result in evaluation.results:
            number = f" {result.turn + 1}" if evaluation.turns > 1 else ""
            agreed = agreement(evaluation.moments[0], result)
            told = {}
            if agreed is not None and agreed.deciding is not None:
                told["Decides alike"] = mean_told(agreed.deciding)
            if agreed is not None and agreed.text is not None:
                told["Words alike"] = mean_told(agreed.text)
            _draw(f"Now{number}", name.model, result, stored, told, is_now=True)


def _draw(
    title: str,
    model: str,
    result: Result,
    stored: Sequence[str],
    agreed: dict[str, str],
    *,
    is_now: bool = False,
) -> None:
    with named(box("section", "card answer-card"), aria_label=title):
        with box("div", "why-when"):
            words("h3", title)
            chips(result.outcome or "unasked", is_odd=bool(result.odd))
        short("p", model, "soft")
        facts(
            {
                "Calls": many(result.attempts, "call"),
                "Prompt": tokens_told(result.prompt_tokens),
                "Reply": tokens_told(result.completion_tokens),
                "Took": seconds_told(result.milliseconds),
                **agreed,
            }
        )
        _draw_answer(result, stored, is_now=is_now)
        draw_odd(result.odd_kinds, result.odd)
        _draw_problems(result)
        if result.reply:
            with folded("The first reply"):
                raw(result.reply, f"The first reply, {title}")


def _draw_answer(result: Result, stored: Sequence[str], *, is_now: bool) -> None:
    if result.outcome is None:
        words("p", "The prompt does not fit the model's context: nothing was asked.", "trouble")
        return
    lines = list(outline(result.answer))
    if is_now and lines == stored:
        words("p", "The stored answer, word for word.", "is-clean")
    if result.outcome == "fallback":
        words("p", "No model's answer: the step's declared fallback.", "trouble")
    with box("div", "answer"):
        for line in lines:
            is_new = is_now and line not in stored
            with box("div", "answer-line is-new" if is_new else "answer-line"):
                if is_new:
                    words("span", "new: ", "unseen")
                words("span", line)


def _draw_problems(result: Result) -> None:
    if not result.problems:
        return
    words("h4", "What was wrong with the first answer")
    with box("ul", "problems"):
        for problem in result.problems[:MOST_PROBLEMS]:
            short("li", problem, longest=2_000)
        if result.problems[MOST_PROBLEMS:]:
            words("li", f"and {len(result.problems) - MOST_PROBLEMS} more")
