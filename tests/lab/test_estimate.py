"""What a town day would take: this project's own budget, and plain arithmetic."""

import re
from pathlib import Path

import pytest

from smolville.lab.doctor.estimate import BUDGETS, estimate_days
from smolville.lab.doctor.findings import ContextFound, SpeedAt, SpeedFound
from smolville.lab.doctor.speed import pays

DOCS = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
MODELS = DOCS.with_name("models.md")


def rounds(*rates: float) -> list[SpeedAt]:
    """Rounds at 1, 2, 4 ... calls at a time with these speeds."""
    return [
        SpeedAt(in_flight=2**n, tokens_per_second=rate, seconds=1.0) for n, rate in enumerate(rates)
    ]


def test_the_budget_is_the_one_of_the_benchmarks() -> None:
    text = DOCS.read_text(encoding="utf-8")
    table = {
        name: [float(cell.replace(",", "").replace(" k", "")) for cell in (few, many)]
        for name, few, many in re.findall(
            r"^\| (model calls|prompt tokens|completion tokens) \| ([\d.,]+(?: k)?) \|"
            r"[^|]*\|[^|]*\| ([\d.,]+(?: k)?) \|",
            text,
            re.MULTILINE,
        )
    }
    for place, budget in enumerate(BUDGETS):
        assert table["model calls"][place] == budget.calls
        assert table["prompt tokens"][place] * 1000 == budget.prompt_tokens
        assert table["completion tokens"][place] * 1000 == budget.completion_tokens


def test_the_page_about_models_shows_an_estimate_of_this_budget() -> None:
    text = MODELS.read_text(encoding="utf-8")
    told = [int(calls) for calls in re.findall(r"\((\d+) calls\)", text)]
    assert told == [budget.agents * budget.calls for budget in BUDGETS]


def test_a_day_is_prompts_read_and_replies_written() -> None:
    context = ContextFound(prompt_tokens_per_second=500.0)
    speed = SpeedFound(rounds=tuple(rounds(20.0, 40.0)), cached_share=0.5)
    small, _ = estimate_days(context, speed, slots=2)
    read, written = BUDGETS[0].prompt_tokens, BUDGETS[0].completion_tokens
    assert small.minutes == pytest.approx(3 * (read * 0.5 / 500 + written / 40) / 60, abs=0.1)
    assert small.minutes_one_at_a_time == pytest.approx(
        3 * (read * 0.5 / 500 + written / 20) / 60, abs=0.1
    )


def test_calls_that_the_town_would_not_send_count_for_nothing() -> None:
    context = ContextFound(prompt_tokens_per_second=500.0)
    speed = SpeedFound(rounds=tuple(rounds(20.0, 40.0, 80.0)))
    small, _ = estimate_days(context, speed, slots=1)
    assert small.minutes == small.minutes_one_at_a_time


def test_without_a_speed_there_is_no_estimate() -> None:
    assert estimate_days(ContextFound(), SpeedFound(rounds=tuple(rounds(20.0))), 1) == ()
    assert estimate_days(ContextFound(prompt_tokens_per_second=500.0), SpeedFound(), 1) == ()


@pytest.mark.parametrize(
    ("rates", "best"),
    [((20, 21, 21, 20), 1), ((20, 38, 40, 41), 2), ((20, 38, 70, 120), 8), ((20, 22, 40), 4)],
)
def test_more_calls_at_a_time_pay_only_where_they_write_more(
    rates: tuple[float, ...], best: int
) -> None:
    assert pays(rounds(*rates)) == best
