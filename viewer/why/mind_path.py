"""The mind graph with the path of a thought: every node in order, visited or skipped."""

from collections.abc import Sequence

from graphs.diagram import stations
from history.thoughts import StepView
from lab.tracing.naming import worst
from viewer.why.elements import box, link, named, words
from viewer.why.outcomes import SHAPES
from viewer.why.step_card import anchor


def draw_path(path: Sequence[str], steps: Sequence[StepView]) -> None:
    """Draw the mind graph as a row of nodes; visited nodes link to their steps."""
    whens = {station.name: station.when for station in stations()}
    known = [*whens, *dict.fromkeys(name for name in path if name not in whens)]
    with named(box("nav", "path"), aria_label="The mind's path"):
        words("h2", "The path")
        with box("ol"):
            for name in known:
                when = whens.get(name, "")
                if name in path:
                    _taken(name, when, steps)
                else:
                    _passed(name, when)


def _taken(name: str, when: str, steps: Sequence[StepView]) -> None:
    """Draw a node that was visited."""
    own = [number for number, view in enumerate(steps) if view.record.step == name]
    outcome = worst(steps[number].record.outcome for number in own)
    with box("li", "station is-taken"):
        named(words("span", SHAPES[outcome], f"station-mark is-{outcome}"), aria_hidden="true")
        with box("div"):
            if own:
                times = f" ×{len(own)}" if len(own) > 1 else ""
                link(f"{name}{times}", f"#{anchor(own[0])}", "station-name")
            else:
                words("span", name, "station-name")
            told = f"ran, {outcome}" if outcome else "ran"
            is_odd = any(steps[number].record.odd for number in own)
            words("span", f", {told}{', odd' if is_odd else ''}", "unseen")
            words("div", when, "station-when")


def _passed(name: str, when: str) -> None:
    """Draw a node that was skipped."""
    with box("li", "station"):
        named(words("span", "", "station-mark"), aria_hidden="true")
        with box("div"):
            words("span", name, "station-name")
            words("span", f", not wanted: only when {when}", "unseen")
