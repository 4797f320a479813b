"""The page of a thought or a talk: in words, as a path, and step by step."""

from collections.abc import Sequence
from urllib.parse import quote_plus

from nicegui import ui

from smolville.agents.times import moment as town_time
from smolville.graphs.loop.ledger import RecallRecord
from smolville.graphs.mind import stations
from smolville.history.thoughts import StepView
from smolville.lab.tracing.listing import find_worst_outcome, thought_digits
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import (
    box,
    command,
    facts,
    link,
    make_folded_section,
    say_trouble,
    set_attributes,
    short,
    show_raw_text,
    words,
)
from smolville.viewer.frame import frame, run_address
from smolville.viewer.step_names import plain_name
from smolville.viewer.styles import style
from smolville.viewer.why.memories import seek_missed
from smolville.viewer.why.outcomes import SHAPES, chip, chips
from smolville.viewer.why.sentences import came_of, format_costs, format_talk, format_thought_cause
from smolville.viewer.why.step_card import anchor, draw_step
from smolville.viewer.why.thought_view import UNREADABLE, LinkedThought, ThoughtView


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
                places = _draw_steps(seen)
    seek_missed(config, seen, places)


def _draw_steps(seen: ThoughtView) -> list[tuple[RecallRecord, ui.element]]:
    places: list[tuple[RecallRecord, ui.element]] = []
    for number, view in enumerate(seen.steps):
        try:
            found = draw_step(seen, number, view)
            places += zip(view.record.recalls, found, strict=bool(found))
        except UNREADABLE as error:
            say_trouble(f"The record of the step {view.record.step} is damaged: {error}.")
    if not seen.steps:
        words("p", "No model was asked: this was decided by code alone.", "card")
    return places


def _draw_head(config: AppConfig, seen: ThoughtView) -> None:
    """Draw the person, the time, the reasons, the result, and the links."""
    outcome = find_worst_outcome(view.record.outcome for view in seen.steps)
    with box("section", "card why-head"):
        with box("div", "why-when"):
            words("strong", seen.time)
            failed = seen.row is not None and seen.row.failed
            is_odd = any(view.record.odd for view in seen.steps)
            chips("failed" if failed else outcome, is_odd=is_odd)
        if seen.row is not None:
            short("p", format_thought_cause(seen.row, seen.finished), longest=2_000)
            came = short("p", came_of(seen.row, seen.deeds), longest=4_000)
            if seen.row.failed:
                came.classes("trouble")
                with make_folded_section("The whole message"):
                    show_raw_text(seen.row.failed, "Why the thought failed")
            if seen.planned is not None:
                step = plain_name(seen.planned_by)
                words("p", f"It was planned before, {seen.planned.time}: {step}.", "soft")
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
        link("In the town at this moment", f"{town}?at={when}{who}&return=1", "button")
        _add_thought_link(seen, "← before", seen.before)
        _add_thought_link(seen, "next →", seen.after)
        _add_thought_link(seen, "The thought that planned it", seen.planned)
        _add_thought_link(seen, "The thought that wished for it", seen.began)
    owner = seen.talk.talk.id if seen.talk is not None else seen.agents[0]
    digits = thought_digits(owner, seen.tick)
    command("trace", seen.run, digits, *config.where)


def _add_thought_link(seen: ThoughtView, text: str, to: LinkedThought | None) -> None:
    if to is not None:
        made = link(text, run_address(seen.run, f"why/{to.agent}/{to.tick}"), "button")
        set_attributes(made, title=f"{to.agent}, {to.time}")


def _draw_lines(seen: ThoughtView) -> None:
    """Draw the lines of a talk; each links to the step that produced it."""
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
    """Draw the mind graph as a row of nodes; visited nodes link to their steps."""
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
