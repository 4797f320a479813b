"""An evaluation as a single HTML file that loads nothing and runs only its own script.

The script only filters; the page works without it. A content security policy in the page refuses
every script and style whose hash it does not list, so that even an escaping error could not execute
a model's text.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from smolville.agents.wording import format_count, shown_text
from smolville.lab.evaluation.charts import (
    ENDS_TOLD,
    agreements,
    by_step,
    costs,
    sense_and_validity,
    stacks,
    wordings,
)
from smolville.lab.evaluation.comparison import Verdict
from smolville.lab.evaluation.counts import ENDS, UNASKED
from smolville.lab.evaluation.differences import Difference, differences
from smolville.lab.evaluation.results import Evaluation
from smolville.lab.evaluation.summary import Summary
from smolville.lab.evaluation.summary_view import (
    format_interval,
    format_mean,
    format_seconds,
    format_share,
    format_tokens,
)
from smolville.parsers.problem import SENSE_KINDS

if TYPE_CHECKING:
    from jinja2 import Template

MOST_MOMENTS = 300
"""Maximum number of moments shown with their answers, so that the page opens on a phone."""
MOST_ROWS = 2_000
"""Maximum number of moments listed that have no difference."""
MOST_TURNS = 5
"""Maximum number of distinct answers shown per variant and moment."""
SIGNS: dict[Verdict, str] = {"better": "▲", "worse": "▼", "same": "=", "untold": "≈"}
HEADLINES: dict[Verdict, str] = {
    "better": "Fewer answers objected to",
    "worse": "More answers objected to",
    "same": "As many answers objected to",
    "untold": "No difference in objections that could be told apart from chance",
}


def report_page(evaluation: Evaluation, summary: Summary, *, date: str = "") -> str:
    """Return the report as a single HTML file; it contains a date only when one is given."""
    from markupsafe import Markup

    style, script = _text("report.css"), _text("report.js")
    moments = differences(evaluation)
    names = " · ".join(dict.fromkeys(each.name.prompts for each in summary.variants))
    return _template().render(
        title=f"Evaluation: {names}",
        heading=_heading(summary),
        policy=_policy(style, script),
        # These two files of this program are part of the page and must not be escaped.
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        summary=summary,
        signs=SIGNS,
        headlines=HEADLINES,
        validity=sense_and_validity(summary),
        stacks=stacks(summary),
        legend=_legend(summary),
        by_step=by_step(summary),
        # With one variant there is nothing to compare; its costs are in the table.
        costs=costs(summary) if summary.comparisons else (),
        agreements=agreements(summary),
        wordings=wordings(summary),
        odd_kinds=_kinds([variant.total.odd_kinds for variant in summary.variants]),
        kinds=_kinds([variant.total.kinds for variant in summary.variants]),
        meanings=SENSE_KINDS,
        has_unasked=any(each.total.ends[UNASKED] for each in summary.variants),
        differing=_select_differences(moments, differs=True),
        alike=_select_differences(moments, differs=False),
        most_moments=MOST_MOMENTS,
        most_rows=MOST_ROWS,
        most_turns=MOST_TURNS,
        program=f"smolville {version('smolville')}",
        date=date,
    )


def _template() -> "Template":
    """Return the page's template, which escapes everything that is filled in."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    environment = Environment(
        loader=DictLoader({"report": _text("report.html.jinja")}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_show_control_characters,
    )
    environment.filters |= {
        "share": format_share,
        "interval": format_interval,
        "mean": format_mean,
        "tokens": format_tokens,
        "seconds": format_seconds,
        "duration": _duration,
        "thousands": lambda number: f"{number:,}",
    }
    return environment.get_template("report")


def _show_control_characters(value: Any) -> Any:
    """Return a value with its control characters made visible, except in markup."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return shown_text(value, len(value)).text


def _policy(style: str, script: str) -> str:
    """Return a content security policy that allows only this style and this script."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _heading(summary: Summary) -> str:
    """Return the heading: what the evaluation compares."""
    if len(summary.variants) < 2:
        return "How well is it answered?"
    several_prompts = len({each.name.prompts for each in summary.variants}) > 1
    several_models = len({each.name.model for each in summary.variants}) > 1
    if several_prompts == several_models:
        return "Which prompts and models answer better?"
    return "Which prompts answer better?" if several_prompts else "Which model answers better?"


def _text(name: str) -> str:
    """Return the text of one of the report's own files."""
    return files("smolville.lab.evaluation").joinpath(name).read_text(encoding="utf-8")


def _legend(summary: Summary) -> list[tuple[str, str]]:
    """Return the outcomes that occurred, with their legends."""
    return [
        (end, ENDS_TOLD[end])
        for end in ENDS
        if any(variant.total.ends[end] for variant in summary.variants)
    ]


def _kinds(counted: Sequence[Mapping[str, int]]) -> list[tuple[str, list[int]]]:
    """Return each kind of oddity or problem with its count by variant, most frequent first."""
    names = dict.fromkeys(kind for kinds in counted for kind in kinds)
    rows = [(kind, [kinds.get(kind, 0) for kinds in counted]) for kind in names]
    return sorted(rows, key=lambda row: (-sum(row[1]), row[0]))


def _select_differences(moments: Sequence[Difference], *, differs: bool) -> list[Difference]:
    return [each for each in moments if each.differs == differs]


def _duration(seconds: float) -> str:
    """Return the duration of the evaluation in words."""
    return f"{seconds:.0f} s" if seconds < 120 else format_count(round(seconds / 60), "minute")
