"""A summary adds up, compares only what can be compared, and says what is missing."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from smolville.agents.errors import SettingError
from smolville.graphs.loop.ledger import StepOutcome
from smolville.lab.evaluation.results import Evaluation, Result, StoredMoment
from smolville.lab.evaluation.statistics import sign_flip, wilson
from smolville.lab.evaluation.summary import ENDS, misses, summarise
from smolville.lab.evaluation.summary_view import SummaryView
from tests.lab.evaluation.made_up import VARIANTS, made_up


def small(*variants: str, turns: int = 1) -> Evaluation:
    """An evaluation told as one word per variant: c, m, r, e, f, o (odd) or - for each."""
    ends: dict[str, StepOutcome | None] = {
        "c": "clean", "m": "mended", "r": "repaired", "e": "escalated", "f": "fallback", "-": None,
        "o": "clean",
    }  # fmt: skip
    moments = tuple(
        StoredMoment(id=f"r/{at}", step="say", agent="Rosa", time="1 07:00", outcome="clean",
               answer={"text": "Yes.", "ends": False}, inputs={})
        for at in range(len(variants[0]) // turns)
    )  # fmt: skip
    results = [
        Result(
            moment=f"r/{at // turns}",
            variant=variant,
            turn=at % turns,
            outcome=ends[letter],
            odd=("You said that before.", "Who says that?") if letter == "o" else (),
            odd_kinds=("repeat", "speaker") if letter == "o" else (),
        )
        for variant, word in enumerate(variants)
        for at, letter in enumerate(word)
        if letter != "."
    ]
    return Evaluation(
        variants=VARIANTS[: len(variants)], moments=moments, turns=turns, results=results, repairs=2
    )


def shown(evaluation: Evaluation, width: int) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width, markup=False, emoji=False, highlight=False)
    console.print(SummaryView(summarise(evaluation)).render(), crop=False)
    return stream.getvalue()


def test_ends_add_up_to_the_questions_and_steps_to_the_whole() -> None:
    summary = summarise(made_up())
    assert summary.missing == 0
    for variant in summary.variants:
        total = variant.total
        assert total.asked == sum(total.ends.values()) == 100
        assert total.shares["first"].count == total.ends["clean"] + total.ends["mended"]
        assert (
            total.shares["valid"].count
            == total.asked - total.ends["fallback"] - total.ends["unasked"]
        )
        lines = variant.steps.values()
        assert total.asked == sum(line.asked for line in lines)
        assert all(sum(line.ends[end] for line in lines) == total.ends[end] for end in ENDS)
        assert (
            total.shares["objected"].count - total.shares["odd"].count
            == total.asked - total.shares["valid"].count
        )
        for share in total.shares.values():
            assert share.interval.low <= share.count / share.of <= share.interval.high


def test_an_interval_is_wilsons_where_each_moment_was_asked_once() -> None:
    line = summarise(small("ccmrf")).variants[0].total
    assert line.shares["first"].interval == wilson(3, 5)
    assert line.shares["clean"].interval == wilson(2, 5)
    assert line.shares["valid"].interval == wilson(4, 5)


def test_odd_answers_are_valid_and_objected_to() -> None:
    line = summarise(small("ccoof-")).variants[0].total
    assert (
        line.shares["objected"].count,
        line.shares["odd"].count,
        line.shares["valid"].count,
    ) == (4, 2, 4)
    assert line.shares["objected"].interval == wilson(4, 6)
    assert line.odd_kinds == {"repeat": 2, "speaker": 2}
    text = shown(small("ccoof-"), 100)
    assert "Objected to in answers of 1: repeat 2, speaker 2." in text


def test_variants_are_compared_by_objections_first() -> None:
    (found,) = summarise(small("oooooooocc", "cccccccccc")).comparisons
    assert found.contrasts["objected"].verdict_text == "better by 80.0 points (p = 0.008)"
    assert found.contrasts["first"].verdict == "same"
    assert found.verdict_text.startswith(
        "Objected to: better by 80.0 points (p = 0.008); valid at once: no"
    )


def test_a_maximum_of_objections_is_held_like_the_others() -> None:
    summary = summarise(small("ccccccccoo"))
    assert misses(summary, {"valid": 1.0, "clean": 1.0, "objected": 0.2}) == []
    assert misses(summary, {"objected": 0.1}) == [
        "shipped · ollama:qwen2.5:3b: 2 of 10 answers were objected to (20.0 %); "
        "at most 10 % were asked for."
    ]


def test_a_variant_is_compared_moment_by_moment() -> None:
    (found,) = summarise(small("rrrrrrrrcc", "cccccccccc")).comparisons
    assert (found.contrasts["first"].better, found.contrasts["first"].worse) == (8, 0)
    assert found.contrasts["first"].points == pytest.approx(80)
    assert found.contrasts["first"].p == pytest.approx(sign_flip([1] * 8))
    assert found.contrasts["first"].verdict_text == "better by 80.0 points (p = 0.008)"
    assert found.contrasts["valid"].verdict == "same"
    assert found.contrasts["valid"].verdict_text == "no difference at all"


def test_what_chance_would_do_as_well_is_called_so() -> None:
    (found,) = summarise(small("crcccc", "ccrrcc")).comparisons
    assert found.contrasts["first"].verdict_text == (
        "no difference that could be told apart from chance (−16.7 points, p = 1.00)"
    )


def test_turns_of_a_moment_are_one_difference() -> None:
    (found,) = summarise(small("rrrrrrrrrrrr", "cccccccccccc", turns=4)).comparisons
    assert found.contrasts["first"].pairs == 12
    assert found.contrasts["first"].better == 3
    assert found.contrasts["first"].p == pytest.approx(0.25)


def test_several_comparisons_are_held_to_each_other() -> None:
    one, other = summarise(small("rrrrrrcc", "cccccccc", "cccccccc")).comparisons
    assert one.contrasts["first"].p == pytest.approx(2 / 2**6)
    assert (
        one.contrasts["first"].adjusted
        == other.contrasts["first"].adjusted
        == pytest.approx(4 / 2**6)
    )
    assert one.contrasts["first"].verdict == "untold"


def test_only_what_both_were_asked_is_compared_and_what_is_missing_is_said() -> None:
    interrupted = small("ccccc", "rr...")
    summary = summarise(interrupted)
    assert summary.missing == summary.variants[1].total.missing == 3
    assert summary.comparisons[0].contrasts["first"].pairs == 2
    assert "3 questions without a result: the evaluation was" in shown(interrupted, 100)


def test_an_evaluation_that_has_not_begun_can_be_read() -> None:
    empty = replace(made_up(moments=3), results=[])
    summary = summarise(empty)
    assert summary.missing == 18
    assert summary.comparisons[0].contrasts["first"].verdict_text == "nothing to compare"
    assert "first" in shown(empty, 80)
    assert misses(summary, {"clean": 0.1})[0].endswith(
        "nothing was asked, so clean cannot be told."
    )


def test_counts_that_a_server_does_not_tell_are_unknown_not_zero() -> None:
    line = summarise(small("cc")).variants[0].total
    assert line.prompt_tokens is None
    assert summarise(small("--")).variants[0].total.milliseconds is None


def test_a_missed_minimum_is_a_sentence_for_each_variant() -> None:
    summary = summarise(small("ccccccccmr", "cccccccccc"))
    assert misses(summary, {"clean": 0.9}) == [
        "shipped · ollama:qwen2.5:3b: 8 of 10 first answers were clean (80.0 %); "
        "at least 90 % were asked for."
    ]
    assert misses(summary, {"first": 0.9, "valid": 1.0, "fallback": 0.0}) == []


def test_a_prompt_that_does_not_fit_cannot_meet_a_minimum() -> None:
    summary = summarise(small("cccccccc--"))
    assert len(misses(summary, {"clean": 0.9, "valid": 0.9, "fallback": 0.1})) == 3


def test_a_minimum_of_another_name_is_refused() -> None:
    with pytest.raises(SettingError, match="'tidy' is no minimum; there are objected, clean"):
        misses(summarise(small("c")), {"tidy": 0.9})


def test_what_is_said_again_to_another_moment_is_counted() -> None:
    """Marks and capitals make no other words, and another turn is no repetition."""
    told = small("cccc", turns=2)
    texts = ("Good day, Ida!", "Good day, Ida!", "good day ida", "I bake bread today.")
    results = [
        replace(each, answer={"text": text, "ends": False})
        for each, text in zip(told.results, texts, strict=True)
    ]
    line = summarise(replace(told, results=results)).variants[0].total
    assert (line.shares["again"].count, line.words) == (3, 13 / 4)
    alone = summarise(replace(told, results=results[:2])).variants[0].total
    assert alone.shares["again"].count == 0


def test_the_summary_is_plain_data_with_stable_keys() -> None:
    told = json.loads(json.dumps(summarise(made_up()).plain()))
    assert list(told) == [
        "moments", "turns", "repairs", "seconds", "missing", "confidence", "variants",
        "comparisons",
    ]  # fmt: skip
    variant = told["variants"][0]
    assert set(variant["steps"]["say"]) == set(variant) - {"prompts", "model", "steps"}
    assert list(variant["first"]) == ["count", "of", "share", "low", "high"]
    assert told["comparisons"][0]["variant"] == 1


@pytest.mark.parametrize("width", [80, 100])
def test_the_table_fits_the_screen(width: int) -> None:
    lines = shown(made_up(), width).splitlines()
    assert max(map(len, lines)) <= width
    assert any("shipped" in line for line in lines)


def test_names_are_never_markup() -> None:
    odd = replace(VARIANTS[0], prompts="[bold]mine[/bold]")
    assert "[bold]mine[/bold]" in shown(replace(small("c"), variants=(odd,)), 100)
