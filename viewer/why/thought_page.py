"""The page of a thought or a talk: in words, as a path, and step by step; and the lab's route."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar
from urllib.parse import quote_plus

from nicegui import ui

from smolville.agents.action import Talk
from smolville.agents.times import moment as town_time
from smolville.agents.wording import format_count, format_seconds, join_words
from smolville.graphs.mind import stations
from smolville.history.records import Deed, StepView, ThoughtRow
from smolville.lab.tracing.listing import find_worst_outcome, thought_digits
from smolville.lab.tracing.tree import sum_span_counts
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import (
    TROUBLE,
    box,
    command,
    facts,
    link,
    make_folded_section,
    say_trouble,
    sentence,
    short,
    show_raw_text,
    words,
)
from smolville.viewer.frame import frame, run_address, style
from smolville.viewer.step_names import plain_name
from smolville.viewer.why.bench import bench_of
from smolville.viewer.why.lab_page import draw_lab
from smolville.viewer.why.step_card import (
    SHAPES,
    TOKENS,
    anchor,
    chip,
    chips,
    draw_step,
    tokens,
)
from smolville.viewer.why.thought_view import (
    UNREADABLE,
    ThoughtView,
    see_talk,
    see_thought,
)

T = TypeVar("T")
SLOWEST = 30.0
"""Seconds allowed for reading a page's data, for instance from a slow disk."""


def add(config: AppConfig) -> None:
    """Add `/run/NAME/why/AGENT/TICK`, `/run/NAME/talk/ID` and `/run/NAME/lab/MOMENT`."""
    drafts: dict[str, dict[str, str]] = {}

    @ui.page("/run/{run}/why/{agent}/{tick}", response_timeout=SLOWEST)
    async def thought(run: str, agent: str, tick: str) -> None:
        seen = await _or_say(run, "Why", lambda: see_thought(config.runs, run, agent, tick))
        if seen is not None:
            draw_seen(config, seen)

    @ui.page("/run/{run}/talk/{talk:path}", response_timeout=SLOWEST)
    async def talk(run: str, talk: str) -> None:
        seen = await _or_say(run, "Talk", lambda: see_talk(config.runs, run, talk))
        if seen is not None:
            draw_seen(config, seen)

    @ui.page("/run/{run}/lab/{moment}", response_timeout=SLOWEST)
    async def lab(run: str, moment: str) -> None:
        bench = await _or_say(run, "Lab", lambda: bench_of(config.runs, run, moment, drafts))
        if bench is not None:
            draw_lab(config, bench)


async def _or_say(run: str, title: str, read: Callable[[], T]) -> T | None:
    """Return the result of `read`, run in a thread; on an error, show it and return None."""
    try:
        return await asyncio.to_thread(read)
    except TROUBLE as error:
        ui.context.client.status_code = 404
        style("why")
        with frame(title, run), box("section", "card"):
            say_trouble(sentence(error))
            with box("nav", "ways", aria_label="From here"):
                link("Back to the town", run_address(run), "button")
    return None


def draw_seen(config: AppConfig, seen: ThoughtView) -> None:
    """Draw a thought or a talk."""
    style("why")
    with frame(seen.title, seen.run), box("div", "why"):
        _draw_head(config, seen)
        with box("div", "why-columns"):
            if seen.row is not None:
                _draw_path(seen.row.path, seen.steps)
            else:
                _draw_lines(seen)
            with box("div", "why-steps"):
                _draw_steps(seen)


def _draw_steps(seen: ThoughtView) -> None:
    for number, view in enumerate(seen.steps):
        try:
            draw_step(seen, number, view)
        except UNREADABLE as error:
            say_trouble(f"The record of the step {view.record.step} is damaged: {error}.")
    if not seen.steps:
        words("p", "No model was asked: this was decided by code alone.", "card")


def _draw_head(config: AppConfig, seen: ThoughtView) -> None:
    outcome = find_worst_outcome(view.record.outcome for view in seen.steps)
    with box("section", "card why-head"):
        with box("div", "why-when"):
            words("strong", seen.time)
            failed = seen.row is not None and seen.row.failed
            is_odd = any(view.record.odd for view in seen.steps)
            chips("failed" if failed else outcome, is_odd=is_odd)
        if seen.row is not None:
            short("p", seen.why, longest=2_000)
            came = short("p", came_of(seen.row, seen.deeds), longest=4_000)
            if seen.row.failed:
                came.classes("trouble")
                with make_folded_section("The whole message"):
                    show_raw_text(seen.row.failed, "Why the thought failed")
            for told in seen.more:
                short("p", told, "soft", longest=1_000)
        elif seen.talk is not None:
            short("p", format_talk(seen.talk.talk), longest=2_000)
            short("p", f"They met at {seen.talk.talk.place}.", "soft")
        facts(format_costs(seen.steps, None if seen.row is None else seen.row.milliseconds))
        _draw_ways(config, seen)


def _draw_ways(config: AppConfig, seen: ThoughtView) -> None:
    """Draw the links to the town and to other thoughts, and the terminal command for this one."""
    when = town_time(seen.at).replace(" ", "-")
    with box("nav", "ways", aria_label="From here"):
        town = run_address(seen.run)
        who = f"&who={quote_plus(seen.agents[0])}" if seen.agents else ""
        link("In the town at this moment", f"{town}?at={when}{who}", "button")
        for text, agent, tick in seen.links:
            link(text, run_address(seen.run, f"why/{agent}/{tick}"), "button")
    owner = seen.talk.talk.id if seen.talk is not None else seen.agents[0]
    digits = thought_digits(owner, seen.tick)
    command("trace", seen.run, digits, *config.where)


def _draw_lines(seen: ThoughtView) -> None:
    assert seen.talk is not None
    said = [number for number, view in enumerate(seen.steps) if view.record.step == "say"]
    with box("nav", "path", aria_label="What was said"):
        words("h2", "What was said")
        with box("ol", "said"):
            for number, line in enumerate(seen.talk.talk.lines):
                with box("li", "line is-fallback" if line.fallback else "line"):
                    short("strong", line.speaker)
                    short("p", line.text, longest=2_000)
                    if line.fallback:
                        chip("fallback")
                    if number < len(said):
                        if seen.steps[said[number]].record.odd:
                            chip("odd")
                        link("Why", f"#{anchor(said[number])}", "soft")


def _draw_path(path: Sequence[str], steps: Sequence[StepView]) -> None:
    whens = {station.name: station.when for station in stations()}
    with box("nav", "path", aria_label="The mind's path"):
        words("h2", "The path")
        with box("ol"):
            for name in dict.fromkeys((*whens, *path)):
                _draw_node(name, whens.get(name, ""), path, steps)


def _draw_node(name: str, when: str, path: Sequence[str], steps: Sequence[StepView]) -> None:
    """Draw a node: how it ended, and after which node or under which condition it runs."""
    is_taken = name in path
    own = [number for number, view in enumerate(steps) if view.record.step == name]
    outcome = find_worst_outcome(steps[number].record.outcome for number in own)
    with box("li", "station is-taken" if is_taken else "station"):
        mark = f"station-mark is-{outcome}" if is_taken else "station-mark"
        words("span", SHAPES[outcome] if is_taken else "", mark, aria_hidden="true")
        with box("div"):
            if own:
                times = f" ×{len(own)}" if len(own) > 1 else ""
                link(f"{plain_name(name)}{times}", f"#{anchor(own[0])}", "station-name")
            else:
                words("span", plain_name(name), "station-name")
            if not is_taken:
                words("span", f", not wanted: only when {when}", "unseen")
                return
            odd = ", odd" * any(steps[number].record.odd for number in own)
            words("span", f", ran{f', {outcome}' if outcome else ''}{odd}", "unseen")
            condition, _, before = when.partition(", or after ")
            taken = [plain_name(each) for each in before.split(" or ") if each in path]
            told = f"after “{taken[0]}”" if taken else condition
            with box("div", "station-when"):
                words("code", name)
                words("span", f" · {told}" if told else "")


def came_of(row: ThoughtRow, deeds: Sequence[Deed]) -> str:
    """Return the result of a thought, and the town's response, as sentences."""
    if row.failed:
        return "The thought failed and left nothing behind."
    if not row.intent:
        return "What came of it: nothing new; what was being done went on."
    doing, _, place = row.intent.partition(" @ ")
    said = f"What came of it: {doing.rstrip('.')}{f', at {place}' if place else ''}."
    refused = [each.reason for each in deeds if each.outcome == "refused"]
    return said + "".join(f" The town refused it: {reason.rstrip('.')}." for reason in refused)


def format_talk(talk: Talk) -> str:
    """Return how a talk went, as a sentence."""
    end = "nobody ended it"
    if talk.ended_by == "the cap":
        end = "it ended when its lines ran out"
    elif talk.ended_by:
        end = f"{talk.ended_by} ended it"
    return f"{join_words(talk.participants)} said {format_count(len(talk.lines), 'line')}; {end}."


def format_costs(steps: Iterable[StepView], milliseconds: float | None = None) -> dict[str, str]:
    """Return the costs of some steps together, by name."""
    views = list(steps)
    calls = [attempt.call for view in views for attempt in view.attempts]
    total = sum_span_counts(
        {**{name: getattr(call, name) for name in TOKENS}, "model_ms": call.milliseconds}
        for call in calls
    )
    return {
        "Steps": str(len(views)) if len(views) > 1 else "",
        "Calls": str(len(calls)),
        **tokens(total),
        "Models": format_seconds(total["model_ms"]) if calls else "",
        "Whole": format_seconds(milliseconds) if milliseconds else "",
    }
