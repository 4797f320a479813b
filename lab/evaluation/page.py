"""An evaluation as a single HTML file that loads nothing and runs no script.

A content security policy in the page refuses every script and every style but its own, so that even
an escaping error could not execute a model's text.
"""

from base64 import b64encode
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from smolville.agents.wording import shown_text
from smolville.lab.evaluation.answers import cards_of, differs, outline
from smolville.lab.evaluation.results import Evaluation
from smolville.lab.evaluation.summary import UNASKED, Summary, VariantCounts
from smolville.lab.evaluation.summary_view import (
    format_commonest,
    format_interval,
    format_mean,
    format_seconds,
    format_share,
    format_tokens,
)

if TYPE_CHECKING:
    from jinja2 import Template

MOST_MOMENTS = 300
"""Maximum number of moments shown with their answers, so that the page opens on a phone."""


def report_page(evaluation: Evaluation, summary: Summary, *, date: str = "") -> str:
    """Return the report as a single HTML file; it contains a date only when one is given."""
    from markupsafe import Markup

    style = _text("report.css")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    differing = [each for each in evaluation.moments if differs(evaluation, each)]
    names = [each.prompts for each in evaluation.variants]
    return _template().render(
        title=f"Evaluation: {' · '.join(dict.fromkeys(names))}",
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'",
        # This file of this program is part of the page and must not be escaped.
        style=Markup(style),  # noqa: S704
        summary=summary,
        tables=[
            ("all moments", [_row(each.total) for each in summary.variants]),
            *(
                (step, [_row(each.steps[step]) for each in summary.variants])
                for step in summary.variants[0].steps
            ),
        ],
        moments=[
            (each, [*outline(each.answer)], cards_of(evaluation, each))
            for each in differing[:MOST_MOMENTS]
        ],
        differing=len(differing),
        alike=len(evaluation.moments) - len(differing),
        program=f"smolville {version('smolville')}",
        date=date,
    )


def _row(line: VariantCounts) -> dict[str, str]:
    """Return the cells of a variant's row by their headings."""
    shares = {
        "objected to": "objected",
        "valid at once": "first",
        "after repairs": "valid",
        "fallback": "fallback",
        "said again": "again",
    }
    cells = {
        heading: f"{format_share(line.shares[name])} ({format_interval(line.shares[name])})"
        for heading, name in shares.items()
    }
    return {
        **cells,
        "too long": str(line.ends[UNASKED] or ""),
        "tokens in": format_tokens(line.prompt_tokens),
        "tokens out": format_tokens(line.completion_tokens),
        "time": format_seconds(line.milliseconds),
        "agrees": format_mean(line.agreement),
        "words": format_tokens(line.words),
        "odd": format_commonest(line.odd_kinds, len(line.odd_kinds)),
        "wrong at first": format_commonest(line.kinds),
    }


def _template() -> "Template":
    """Return the page's template, which escapes everything that is filled in."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_show_control_characters,
    )
    return environment.from_string(_text("report.html.jinja"))


def _show_control_characters(value: Any) -> Any:
    """Return a value with its control characters made visible, except in markup."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return shown_text(value, len(value)).text


def _text(name: str) -> str:
    return files("smolville.lab.evaluation").joinpath(name).read_text(encoding="utf-8")
