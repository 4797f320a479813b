"""What is judged: different answers of models, blind, in an order that a hash draws."""

from pathlib import Path

import pytest

from smolville.agents.errors import RunError, SettingError
from smolville.lab.evaluation.asking import ready
from smolville.lab.judging.contest import Contest, case_of, contest_in, contest_of, who_of
from smolville.lab.moments.files import write_moments
from smolville.lab.moments.moment import Moment
from tests.fixtures.judging import LABELS, lines, other, result, write_results


def test_only_two_different_answers_of_models_are_judged(moments: list[Moment]) -> None:
    one, two, three, four, five, *_ = lines(moments)
    fell_back = {"outcome": "fallback"}
    found = contest_of(
        LABELS,
        [
            (result(one, 0, one.answer), result(one, 1, other(one))),
            (result(two, 0, two.answer), result(two, 1, two.answer)),
            (result(three, 0, three.answer), result(three, 1, {}, **fell_back)),
            (result(four, 0, {}, **fell_back), result(four, 1, four.answer)),
            (result(five, 0, {}, outcome=None), result(five, 1, {}, **fell_back)),
        ],
        {one.id: ready(one)},
    )
    assert [pair.asked.id for pair in found.pairs] == [one.id]
    assert (found.equal, found.unmatched) == (1, 3)


def test_a_pair_shows_who_was_asked_what_and_two_answers(contest: Contest) -> None:
    pair = contest.pairs[0]
    use = pair.asked.use
    assert who_of(use)[0].startswith(use.persona.name) and who_of(use)[0].endswith("years old")
    assert [line.split()[0] for line in case_of(use)[:2]] == ["It", "Place:"]
    cases = [line for each in contest.pairs for line in case_of(each.asked.use)]
    assert any(line.startswith("lines:") for line in cases)
    assert pair.lines(0) != pair.lines(1)
    assert any("do not hesitate" in line for line in pair.lines(1))


def test_a_pair_keeps_its_key_when_the_variants_are_named_the_other_way_round(
    moments: list[Moment],
) -> None:
    one = lines(moments)[0]
    answers = result(one, 0, one.answer), result(one, 1, other(one))
    known = {one.id: ready(one)}
    (pair,) = contest_of(LABELS, [answers], known).pairs
    (turned,) = contest_of(LABELS[::-1], [answers[::-1]], known).pairs
    assert pair.key == turned.key
    for judge in ("person", "ida", "walter"):
        left, mirrored = pair.sides(judge)[0], turned.sides(judge)[0]
        assert pair.labels[left] == turned.labels[mirrored]
    changed = answers[0], result(one, 1, other(one) | {"ends": True})
    assert contest_of(LABELS, [changed], known).pairs[0].key != pair.key


def test_sides_and_order_are_drawn_for_each_judge_and_stay(contest: Contest) -> None:
    sides = {pair.sides(f"judge {n}") for pair in contest.pairs for n in range(20)}
    assert sides == {(0, 1), (1, 0)}
    lefts = [pair.sides(f"judge {n}")[0] for pair in contest.pairs for n in range(50)]
    assert 0.4 < sum(lefts) / len(lefts) < 0.6
    assert contest.queue("person") == contest.queue("person")
    orders = {tuple(pair.key for pair in contest.queue(f"judge {n}")) for n in range(20)}
    assert len(orders) > 10
    first = contest.queue("person")[0]
    assert first not in contest.queue("person", {first.key})


def test_variants_are_named_by_number_templates_or_label(
    moments: list[Moment], clumsy: Path, tmp_path: Path
) -> None:
    path = write_results(tmp_path / "r.jsonl", lines(moments), "clumsy")
    for names in (("1", "2"), ("shipped", "mine"), LABELS):
        found = contest_in(path, names, clumsy)
        assert found.labels == LABELS
        assert len(found.pairs) == len(lines(moments))
    with pytest.raises(SettingError, match="'standin' means several variants; it has: 1 shipped"):
        contest_in(path, ("standin", "mine"), clumsy)
    with pytest.raises(SettingError, match="'3' is no variant"):
        contest_in(path, ("1", "3"), clumsy)
    with pytest.raises(SettingError, match="are the same variant; name two"):
        contest_in(path, ("1", "shipped"), clumsy)


def test_moments_are_found_where_the_evaluation_had_them(
    moments: list[Moment], clumsy: Path, tmp_path: Path
) -> None:
    frozen = tmp_path / "frozen.jsonl"
    write_moments(frozen, lines(moments))
    path = write_results(tmp_path / "r.jsonl", lines(moments), str(frozen))
    assert len(contest_in(path, ("1", "2"), tmp_path).pairs) == len(lines(moments))
    write_moments(frozen, lines(moments)[1:])
    with pytest.raises(RunError, match="is no longer there"):
        contest_in(path, ("1", "2"), tmp_path)


def test_a_file_without_answers_of_both_is_one_sentence(clumsy: Path, tmp_path: Path) -> None:
    path = write_results(tmp_path / "r.jsonl", [])
    with pytest.raises(RunError, match="has no question that both variants answered yet"):
        contest_in(path, ("1", "2"), clumsy)
    path.write_text('{"smolville": "moments"}\n')
    with pytest.raises(RunError, match="holds no evaluation"):
        contest_in(path, ("1", "2"), clumsy)
    with pytest.raises(RunError, match="cannot be read"):
        contest_in(tmp_path / "none.jsonl", ("1", "2"), clumsy)
