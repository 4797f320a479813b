"""An evaluation as one HTML file that loads nothing and runs no code but its own.

The page works without its script, which only filters. A policy in the page refuses everything
whose hash it does not name, so that not even a mistake in escaping could run a model's text.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lab.evaluation.charts import (
    ENDS_TOLD,
    agreements,
    by_step,
    costs,
    sense_and_validity,
    stacks,
    wordings,
)
from lab.evaluation.comparison import Verdict
from lab.evaluation.differences import Difference, differences, shown_text
from lab.evaluation.line import ENDS, UNASKED
from lab.evaluation.results import Evaluation
from lab.evaluation.shown import (
    interval_told,
    mean_told,
    seconds_told,
    share_told,
    tokens_told,
)
from lab.evaluation.summary import Summary
from parsers.problem import SENSE_KINDS
from world.telling.shares import many

if TYPE_CHECKING:
    from jinja2 import Template

MOST_MOMENTS = 300
"""Moments whose answers are shown; a page must open on a phone."""
MOST_ROWS = 2_000
"""Moments that are named though nothing differs."""
MOST_TURNS = 5
"""Different answers of one variant to one moment that are shown."""
SIGNS: dict[Verdict, str] = {"better": "▲", "worse": "▼", "same": "=", "untold": "≈"}
HEADLINES: dict[Verdict, str] = {
    "better": "More sensible answers",
    "worse": "Fewer sensible answers",
    "same": "As many sensible answers",
    "untold": "No difference in sensible answers that could be told apart from chance",
}


def report_page(evaluation: Evaluation, summary: Summary, *, date: str = "") -> str:
    """Return the report as one HTML file; with a date only where one is given."""
    from markupsafe import Markup

    style, script = _text("report.css"), _text("report.js")
    moments = differences(evaluation)
    names = " · ".join(dict.fromkeys(each.name.prompts for each in summary.variants))
    return _template().render(
        title=f"Evaluation: {names}",
        heading=_heading(summary),
        policy=_policy(style, script),
        # The two files of this program that are no text but what makes the page.
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        summary=summary,
        signs=SIGNS,
        headlines=HEADLINES,
        validity=sense_and_validity(summary),
        stacks=stacks(summary),
        legend=_legend(summary),
        by_step=by_step(summary),
        # The costs of one variant are compared with nothing; the table tells them.
        costs=costs(summary) if summary.comparisons else (),
        agreements=agreements(summary),
        wordings=wordings(summary),
        odd_kinds=_kinds([variant.total.odd_kinds for variant in summary.variants]),
        kinds=_kinds([variant.total.kinds for variant in summary.variants]),
        meanings=SENSE_KINDS,
        has_unasked=any(each.total.ends[UNASKED] for each in summary.variants),
        differing=_those(moments, differs=True),
        alike=_those(moments, differs=False),
        most_moments=MOST_MOMENTS,
        most_rows=MOST_ROWS,
        most_turns=MOST_TURNS,
        program=f"smolville {version('smolville')}",
        date=date,
    )


def _template() -> "Template":
    """Return the page's template: everything that is filled in is escaped."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    environment = Environment(
        loader=DictLoader({"report": _text("report.html.jinja")}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters |= {
        "share": share_told,
        "interval": interval_told,
        "mean": mean_told,
        "tokens": tokens_told,
        "seconds": seconds_told,
        "duration": _duration,
        "thousands": lambda number: f"{number:,}",
    }
    return environment.get_template("report")


def _shown(value: Any) -> Any:
    """Return what is filled in with its control characters made visible, markup excepted."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return shown_text(value, len(value)).text


def _policy(style: str, script: str) -> str:
    """Return a content policy that allows this style and this script, and nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _heading(summary: Summary) -> str:
    """Return what the evaluation asks."""
    if len(summary.variants) < 2:
        return "How well is it answered?"
    several_prompts = len({each.name.prompts for each in summary.variants}) > 1
    several_models = len({each.name.model for each in summary.variants}) > 1
    if several_prompts == several_models:
        return "Which prompts and models answer better?"
    return "Which prompts answer better?" if several_prompts else "Which model answers better?"


def _text(name: str) -> str:
    """Return one of the report's own files."""
    return files("lab.evaluation").joinpath(name).read_text(encoding="utf-8")


def _legend(summary: Summary) -> list[tuple[str, str]]:
    """Return the ends that occurred, in words."""
    return [
        (end, ENDS_TOLD[end])
        for end in ENDS
        if any(variant.total.ends[end] for variant in summary.variants)
    ]


def _kinds(counted: Sequence[Mapping[str, int]]) -> list[tuple[str, list[int]]]:
    """Return each kind with its count by variant, the commonest first."""
    names = dict.fromkeys(kind for kinds in counted for kind in kinds)
    rows = [(kind, [kinds.get(kind, 0) for kinds in counted]) for kind in names]
    return sorted(rows, key=lambda row: (-sum(row[1]), row[0]))


def _those(moments: Sequence[Difference], *, differs: bool) -> list[Difference]:
    return [each for each in moments if each.differs == differs]


def _duration(seconds: float) -> str:
    """Return how long the evaluation took."""
    return f"{seconds:.0f} s" if seconds < 120 else many(round(seconds / 60), "minute")
