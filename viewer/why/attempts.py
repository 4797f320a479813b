"""A step's attempts: what the model got, what it wrote, and how the reply was read."""

from typing import Any

import orjson

from agents.numbers import many
from graphs.loop.ledger import Call
from history.thoughts import RecordedAttempt, StepView
from lab.evaluation.shown import seconds_told
from lab.prompting.rendering import ChatMessage, repairs_in
from lab.tracing.span import share
from viewer.why.elements import box, facts, folded, raw, short, words
from viewer.why.sentences import tokens

LONGEST = 2_000
"""Maximum number of characters shown of a problem."""


def draw_attempts(view: StepView) -> None:
    """Draw every attempt of a step, in order."""
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
    """Draw the messages to the model; those also sent with the previous attempt are not repeated.

    `question` is the index of the message with the question; repairs come after it.
    """
    words("h4", "What the model got")
    same = 0
    while same < min(len(told), len(messages)) and told[same] == messages[same]:
        same += 1
    if same:
        words("p", f"The same {many(same, 'message')} as before, and then:", "soft")
    with box("ol", "messages"):
        for number, message in enumerate(messages[same:], same):
            name = _name(number, message["role"], question)
            with box("li", f"message is-{_kind(message['role'])}"):
                with box("div", "message-role"):
                    short("span", message["role"], "role", longest=40)
                    words("span", name)
                raw(message["content"], f"{name}, as the model got it")


def _kind(role: str) -> str:
    return role if role in ("system", "user", "assistant") else "other"


def _name(number: int, role: str, question: int) -> str:
    """Return the name of a message."""
    is_own = role == "assistant"
    if number > question:
        return "Its wrong answer" if is_own else "What is wrong with it"
    if number == question:
        return "Question"
    if role == "system":
        return "Rules"
    return "What it said before" if is_own else "What it was told before"


def _draw_reply(attempt: RecordedAttempt) -> None:
    """Draw the raw reply, and how it was read."""
    call, reading = attempt.call, attempt.reading
    words("h4", "What it wrote")
    if call.thinking:
        with folded(f"What it thought aloud, {len(call.thinking):,} letters"):
            raw(call.thinking, "What the model thought aloud")
    if call.reply:
        raw(call.reply, "The reply as the model wrote it")
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
    """Draw the costs of the call, and its parameters."""
    lost = [str(each) for each in orjson.loads(call.lost)]
    facts(
        {
            **tokens(
                {
                    "prompt_tokens": call.prompt_tokens,
                    "completion_tokens": call.completion_tokens,
                    "thinking_tokens": call.thinking_tokens,
                    "cached_tokens": call.cached_tokens,
                }
            ),
            "Took": seconds_told(call.milliseconds) if call.source == "model" else "",
            "Model": call.model,
            "Template": call.template,
        }
    )
    with folded("How it was asked"):
        facts(_asked(call))
        _draw_list("Lost on the way", tuple(lost), "problems")


def _asked(call: Call) -> dict[str, str]:
    """Return the parameters of a call by name."""
    cached = share(call.cached_tokens, call.prompt_tokens)
    examples = len(orjson.loads(call.examples))
    return {
        "Tier": call.tier,
        "Temperature": f"{call.temperature:g}",
        "Seed": str(call.seed),
        "At most": many(call.max_tokens, "token"),
        "Held to a schema": "yes" if call.schema else "no",
        "Ended": call.finish,
        "Slot": "" if call.slot is None else str(call.slot),
        "Answered by": "the reply cache" if call.source == "cache" else "the model",
        "Reading the prompt": "" if call.prompt_ms is None else seconds_told(call.prompt_ms),
        "Writing the reply": "" if call.reply_ms is None else seconds_told(call.reply_ms),
        "Cached tokens": "" if cached is None else str(call.cached_tokens),
        "Examples shown": str(examples) if examples else "",
        "Left out for room": many(call.dropped, "entry", "entries") if call.dropped else "",
        "Lost calls": str(call.retries) if call.retries else "",
        "Prompts cut": str(call.cuts) if call.cuts else "",
    }
