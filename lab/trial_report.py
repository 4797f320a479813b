"""A model trial as plain data, and as a Markdown table to paste into an issue."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from smolville.graphs.loop.ledger import OUTCOMES, Call
from smolville.lab.doctor.servers import Identity
from smolville.lab.trial import ModelTrial, TrialResult
from smolville.prompts.folder import not_as_shipped
from smolville.reports.health import format_kinds

COLUMNS = ("clean", "mended", "repaired", "escalated", "fallback", "unasked")
"""Possible outcomes of a moment; `unasked` when its prompt does not fit the context."""
HEADS = ("step", *COLUMNS[:-1], "odd", "prompt", "reply", "t/s")
SHOWN = 3
"""Maximum number of problems shown per answer."""
LONG = 200
"""Maximum number of characters shown of a problem."""


@dataclass(frozen=True, kw_only=True)
class StepScore:
    """The results of one step, or of all steps together."""

    step: str
    moments: int
    odd: int
    """Number of moments with an accepted answer to which a check objects."""
    odd_kinds: dict[str, int]
    outcomes: dict[str, int]
    calls: int
    prompt_tokens: int
    completion_tokens: int
    thinking_tokens: int
    cached_share: float | None
    """Share of the prompt tokens served from the cache; None if the server does not report
    it."""
    tokens_per_second: float | None
    """Writing speed of replies, by the server's own timing, or if it reports none by the calls'
    duration."""


@dataclass(frozen=True, kw_only=True)
class TrialReport:
    """The results of a trial, by step and in total."""

    identity: Identity
    constrained: bool
    repairs: int
    examples: int
    edited: tuple[str, ...]
    """The template files that differ from the shipped ones."""
    date: str
    program: str
    seconds: float
    rows: tuple[StepScore, ...]
    total: StepScore
    failures: tuple[TrialResult, ...]
    """Moments that ended in a fallback or could not be asked."""
    odd: tuple[TrialResult, ...]
    """Moments with an answer in which something makes no sense."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return {
            "model": asdict(self.identity),
            "constrained": self.constrained,
            "repairs": self.repairs,
            "examples": self.examples,
            "edited": list(self.edited),
            "date": self.date,
            "program": self.program,
            "seconds": round(self.seconds, 1),
            "total": asdict(self.total),
            "steps": {row.step: asdict(row) for row in self.rows},
            "failures": [
                {**asdict(each.moment), "outcome": _outcome(each), "problems": list(each.problems)}
                for each in self.failures
            ],
            "odd": [
                {
                    **asdict(each.moment),
                    "outcome": _outcome(each),
                    "kinds": list(each.odd_kinds),
                    "sentences": list(each.odd),
                }
                for each in self.odd
            ],
        }


def report(trial: ModelTrial, identity: Identity) -> TrialReport:
    """Return the report of a trial: counts by step and in total."""
    steps = list(dict.fromkeys(each.moment.step for each in trial.tried))
    return TrialReport(
        identity=identity,
        constrained=trial.chat.constrains,
        repairs=trial.rules.repairs,
        examples=trial.rules.examples,
        edited=not_as_shipped(trial.templates.texts),
        date=datetime.now(UTC).date().isoformat(),
        program=f"smolville {version('smolville')}",
        seconds=trial.seconds,
        rows=tuple(_row(step, trial.of(step)) for step in steps),
        total=_row("total", trial.tried),
        failures=tuple(each for each in trial.tried if _outcome(each) in ("fallback", "unasked")),
        odd=tuple(each for each in trial.tried if each.odd),
    )


def markdown(report: TrialReport) -> str:
    """Return the report as Markdown: the setup, a table, the fallbacks, and the odd answers."""
    return "\n".join(
        [
            _head(report),
            "",
            f"| {' | '.join(HEADS)} |",
            f"|:--|{'--:|' * (len(HEADS) - 1)}",
            *(_line(row) for row in report.rows),
            _line(report.total, bold=True),
            "",
            *_format_footer(report),
        ]
    )


def _head(report: TrialReport) -> str:
    """Return the paragraph about the setup: what was tried, and how."""
    who = report.identity
    size = ", ".join(filter(None, (who.parameters, who.quantization)))
    server = " ".join(filter(None, (who.server, who.version)))
    held = "constrained to a JSON schema" if report.constrained else "not constrained"
    edited = f", edited {', '.join(report.edited)}" if report.edited else ""
    return (
        f"**{who.name}** ({', '.join(filter(None, (size, server)))}); {held}; "
        f"repairs {report.repairs}, examples {report.examples}{edited}; "
        f"{report.program}, {report.date}"
    )


def _row(step: str, tried: Sequence[TrialResult]) -> StepScore:
    calls = [call for each in tried for call in each.calls]
    counted = Counter(_outcome(each) for each in tried)
    prompts = sum(call.prompt_tokens or 0 for call in calls)
    cached = [call.cached_tokens for call in calls if call.cached_tokens is not None]
    return StepScore(
        step=step,
        moments=len(tried),
        odd=sum(bool(each.odd) for each in tried),
        odd_kinds=dict(sorted(Counter(kind for each in tried for kind in each.odd_kinds).items())),
        outcomes={name: counted[name] for name in COLUMNS},
        calls=len(calls),
        prompt_tokens=prompts,
        completion_tokens=sum(call.completion_tokens or 0 for call in calls),
        thinking_tokens=sum(call.thinking_tokens for call in calls),
        cached_share=round(sum(cached) / prompts, 3) if cached and prompts else None,
        tokens_per_second=_speed(calls),
    )


def _outcome(tried: TrialResult) -> str:
    assert tried.outcome is None or tried.outcome in OUTCOMES
    return tried.outcome or "unasked"


def _speed(calls: Sequence[Call]) -> float | None:
    """Return tokens written per second; None when nothing was counted or no time was measured."""
    measured = [call for call in calls if call.completion_tokens]
    tokens = sum(call.completion_tokens or 0 for call in measured)
    took = sum(call.milliseconds if call.reply_ms is None else call.reply_ms for call in measured)
    return round(tokens * 1000 / took, 1) if took > 0 else None


def _line(row: StepScore, *, bold: bool = False) -> str:
    """Return a row of the table; zero counts are left blank for readability."""
    speed = "" if row.tokens_per_second is None else f"{row.tokens_per_second:.0f}"
    ends = (row.outcomes[name] or "" for name in COLUMNS[:-1])
    counts = (*ends, row.odd or "")
    cells = [row.step, *counts, row.prompt_tokens, row.completion_tokens, speed]
    shown = (f"**{cell}**" if bold and cell != "" else str(cell) for cell in cells)
    return f"| {' | '.join(shown)} |"


def _format_footer(report: TrialReport) -> Iterator[str]:
    """Yield the lines below the table."""
    total = report.total
    accepted = sum(total.outcomes[name] for name in ("clean", "mended"))
    yield (
        f"{accepted} of {total.moments} moments were answered without asking again; objected to: "
        f"{total.odd}; {total.calls} calls in {report.seconds:.0f} s."
    )
    yield "Prompt and reply are tokens; t/s is tokens a second while a reply is written."
    if total.outcomes["unasked"]:
        yield f"{total.outcomes['unasked']} moments did not fit the model's context."
    if report.failures:
        yield ""
        yield "Fallbacks, with what was wrong with the last answer:"
        yield ""
    for each in report.failures:
        moment = each.moment
        yield f"- `{moment.step}` {moment.case} ({moment.person}): {_problems(each.problems)}"
    if report.odd:
        yield ""
        yield f"Odd answers ({format_kinds(total.odd_kinds)}), with what makes no sense in them:"
        yield ""
    for each in report.odd:
        moment = each.moment
        yield f"- `{moment.step}` {moment.case} ({moment.person}): {_problems(each.odd)}"


def _problems(problems: Sequence[str]) -> str:
    """Return the problems of an answer, limited to the first few."""
    more = len(problems) - SHOWN
    shown = "; ".join(_short(problem) for problem in problems[:SHOWN])
    return f"{shown}; and {more} more" if more > 0 else shown or "no problem was recorded"


def _short(problem: str) -> str:
    """Return a problem, shortened and on one line."""
    line = "".join(letter if letter.isprintable() else " " for letter in problem)
    line = " ".join(line.split())
    return line if len(line) <= LONG else line[: LONG - 1] + "…"
