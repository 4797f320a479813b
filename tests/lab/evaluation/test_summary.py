"""A summary adds up, compares only what can be compared, and says what is missing."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from smolville.graphs.loop.ledger import StepOutcome
from smolville.lab.evaluation.results import Evaluation, Result, VariantName
from smolville.lab.evaluation.statistics import sign_flip, wilson
from smolville.lab.evaluation.summary import ENDS, summarise

VARIANTS = (
    VariantName(prompts="shipped", model="ollama:qwen2.5:3b"),
    VariantName(prompts="mine", model="ollama:qwen2.5:3b"),
    VariantName(prompts="mine", model="llamacpp:http://127.0.0.1:8080"),
)
STEPS = ("say", "decompose")
MANY = ("ccmrroe-fcco", "ccccrrcccmoo", "ffrrreec-moo")
"""Three variants with every outcome."""


def small(*variants: str, turns: int = 1) -> Evaluation:
    """An evaluation told as one word per variant: c, m, r, e, f, o (odd) or - for each."""
    ends: dict[str, StepOutcome | None] = {
        "c": "clean", "m": "mended", "r": "repaired", "e": "escalated", "f": "fallback", "-": None,
        "o": "clean",
    }  # fmt: skip
    results = [
        Result(
            moment=f"r/{at // turns}",
            variant=variant,
            turn=at % turns,
            outcome=ends[letter],
            odd=("You said that before.", "Who says that?") if letter == "o" else (),
            odd_kinds=("repeat", "speaker") if letter == "o" else (),
            kinds=("cut",) if letter == "r" else (),
        )
        for variant, word in enumerate(variants)
        for at, letter in enumerate(word)
        if letter != "."
    ]
    moments = {f"r/{at}": STEPS[at % 2] for at in range(len(variants[0]) // turns)}
    return Evaluation(
        variants=VARIANTS[: len(variants)],
        moments=moments,
        people={id_: id_ for id_ in moments},
        turns=turns,
        results=results,
        repairs=2,
    )


def of_people(evaluation: Evaluation, count: int) -> Evaluation:
    """The same, with its moments dealt out to so many people."""
    people = {id_: f"r/{at % count}" for at, id_ in enumerate(evaluation.moments)}
    return replace(evaluation, people=people)


def shown(evaluation: Evaluation, width: int) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width, markup=False, emoji=False, highlight=False)
    console.print(summarise(evaluation).render(), crop=False)
    return stream.getvalue()


def test_ends_add_up_to_the_questions_and_steps_to_the_whole() -> None:
    summary = summarise(small(*MANY, turns=2))
    assert summary.missing == 0
    for variant in summary.variants:
        total, lines = variant.total, variant.steps.values()
        assert total.asked == sum(total.ends.values()) == 12
        assert total.shares["first"].count == total.ends["clean"] + total.ends["mended"]
        unanswered = total.ends["fallback"] + total.ends["unasked"]
        assert total.shares["valid"].count == total.asked - unanswered
        assert total.shares["objected"].count == total.shares["odd"].count + unanswered
        assert total.asked == sum(line.asked for line in lines)
        assert all(sum(line.ends[end] for line in lines) == total.ends[end] for end in ENDS)
        for share in total.shares.values():
            assert share.interval.low <= share.count / share.of <= share.interval.high


def test_an_interval_is_wilsons_and_odd_answers_are_valid_and_objected_to() -> None:
    line = summarise(small("ccoof-")).variants[0].total
    assert line.shares["first"].interval == wilson(4, 6)
    assert [line.shares[name].count for name in ("objected", "odd", "valid")] == [4, 2, 4]
    assert line.odd_kinds == {"repeat": 2, "speaker": 2}
    assert "Objected to in answers of 1: repeat 2, speaker 2." in shown(small("ccoof-"), 100)


def test_a_variant_is_compared_moment_by_moment_by_objections_first() -> None:
    (found,) = summarise(small("oooooooocc", "cccccccccc")).comparisons
    objected = found.contrasts["objected"]
    assert (objected.better, objected.worse, objected.points) == (8, 0, 80)
    assert objected.p == pytest.approx(sign_flip([1] * 8))
    assert found.verdicts == [
        "objected to: better by 80.0 points (p = 0.008)",
        "valid at once: no difference at all",
        "after repairs: no difference at all",
    ]
    (worse,) = summarise(small("cccccccccc", "rrrrrrrrcc")).comparisons
    assert worse.contrasts["first"].verdict_text == "worse by 80.0 points (p = 0.008)"


def test_what_chance_would_do_as_well_is_called_so() -> None:
    (found,) = summarise(small("crcccc", "ccrrcc")).comparisons
    assert found.contrasts["first"].verdict_text == (
        "worse by 16.7 points, but that may be chance, p = 1.00; about 140 more moments of other "
        "people would settle it, if that stays"
    )
    (even,) = summarise(small("crcccccc", "rccccccc")).comparisons
    assert even.contrasts["first"].verdict_text == (
        "in balance, but that may be chance, p = 1.00; "
        "no number of moments like these will settle it"
    )


def test_people_are_the_units_and_too_few_get_no_verdict() -> None:
    whole = small("r" * 40, "c" * 40)
    many = summarise(of_people(whole, 8)).comparisons[0].contrasts["first"]
    assert (many.people, many.better, many.p) == (8, 8, pytest.approx(sign_flip([5] * 8)))
    assert many.verdict == "better"
    few = summarise(of_people(whole, 3))
    assert few.comparisons[0].contrasts["first"].verdict == "few"
    assert "40 moments of 3 people in 1 run" in shown(of_people(whole, 3), 100)
    assert few.too_few.startswith("No verdict is possible with 3 people in 1 run: at least 6")
    assert "3 people in 1 run: at least 6" in shown(of_people(whole, 3), 200)
    assert not summarise(of_people(whole, 8)).too_few


def test_turns_of_a_moment_are_one_difference() -> None:
    (found,) = summarise(small("rrrrrrrrrrrr", "cccccccccccc", turns=4)).comparisons
    first = found.contrasts["first"]
    assert (first.pairs, first.better, first.p) == (12, 3, pytest.approx(0.25))


def test_several_comparisons_are_held_to_each_other() -> None:
    one, other = (
        each.contrasts["first"]
        for each in summarise(small("rrrrrrcc", "cccccccc", "cccccccc")).comparisons
    )
    assert one.p == pytest.approx(2 / 2**6)
    assert one.adjusted == other.adjusted == pytest.approx(4 / 2**6)
    assert one.verdict == "untold"


def test_only_what_both_were_asked_is_compared_and_what_is_missing_is_said() -> None:
    interrupted = small("ccccc", "rr...")
    summary = summarise(interrupted)
    assert summary.missing == summary.variants[1].total.missing == 3
    assert summary.comparisons[0].contrasts["first"].pairs == 2
    assert "3 questions without a result: the evaluation was" in shown(interrupted, 100)
    empty = summarise(replace(interrupted, results=[]))
    assert empty.comparisons[0].contrasts["first"].verdict_text == "nothing to compare"
    assert shown(replace(interrupted, results=[]), 80)


def test_counts_that_a_server_does_not_tell_are_unknown_not_zero() -> None:
    assert summarise(small("cc")).variants[0].total.prompt_tokens is None
    assert summarise(small("--")).variants[0].total.milliseconds is None


def test_the_summary_is_plain_data_with_stable_keys() -> None:
    told = json.loads(json.dumps(summarise(small(*MANY)).plain()))
    variant = told["variants"][0]
    assert set(variant["steps"]["say"]) == set(variant) - {"prompts", "model", "steps"}
    assert list(variant["first"]) == ["count", "of", "share", "low", "high"]
    assert told["comparisons"][0]["variant"] == 1


@pytest.mark.parametrize("width", [80, 100])
def test_the_table_fits_the_screen_and_names_are_never_markup(width: int) -> None:
    odd = replace(VARIANTS[0], prompts="[bold]mine[/bold]")
    told = shown(replace(small(*MANY), variants=(odd, *VARIANTS[1:])), width)
    assert max(map(len, told.splitlines())) <= width
    assert "[bold]mine[/bold]" in told
