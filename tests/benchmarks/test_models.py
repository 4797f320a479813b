"""The judge of mistakes tells right from wrong, and the town's mends do not invent."""

from benchmarks.models import figures_of, lived
from benchmarks.verdicts import Verdict


def verdict(**more: object) -> Verdict:
    """What became of one step that was asked once, and answered as meant."""
    usual: dict[str, object] = {"step": "say", "mistake": "", "attempts": 1, "is_at_once": True}
    usual |= {"is_fallback": False, "is_wrong": False, "is_shared_anew": False}
    return Verdict(**(usual | more))  # type: ignore[arg-type]


def test_a_day_of_mistakes_has_no_wrong_mend_and_hardly_a_fallback() -> None:
    figures = figures_of(lived(3, 14, 7, 0.4, "last"))
    assert figures["faulty_first_answers"] > 30
    assert figures["of_form_mended_without_a_call"] >= 0.95
    assert figures["wrong_mends"] == 0
    assert figures["repaired_into_another_value"] == 0
    assert figures["faulty_without_fallback"] >= 0.97


def test_repairs_are_worth_more_than_asking_blindly_again() -> None:
    blind = figures_of(lived(3, 11, 7, 0.4, "none"))
    assert blind["wrong_mends"] == 0
    assert blind["rest_recovered_by_repair"] < 0.5
    assert blind["fallbacks"] > 0


def test_figures_tell_mends_repairs_and_fallbacks_apart() -> None:
    found = figures_of(
        [
            verdict(),
            verdict(mistake="fences"),
            verdict(mistake="python", is_wrong=True),
            verdict(mistake="missing", is_at_once=False, attempts=2),
            verdict(mistake="loop", is_at_once=False, attempts=4, is_fallback=True),
        ]
    )
    assert (found["steps"], found["calls"], found["faulty_first_answers"]) == (5, 9, 4)
    assert (found["of_form"], found["of_form_mended_without_a_call"]) == (2, 1.0)
    assert (found["wrong_mends"], found["rest_recovered_by_repair"]) == (1, 0.5)
    assert (found["faulty_without_fallback"], found["fallbacks"]) == (0.75, 1)
