"""The arguments of the stand-in's spec."""

import pytest

from smolville.models.standin.model import build
from smolville.models.standin.settings import MISTAKES


def test_the_overall_rate_is_shared_evenly():
    model = build({"mistakes": "0.26"}, 1)
    assert set(model.rates) == set(MISTAKES)
    assert model.rates["loop"] == pytest.approx(0.02)


def test_named_kinds_share_the_rate_and_a_kind_may_have_its_own():
    model = build({"mistakes": "0.2", "kinds": "fences+missing", "sum": "0.1"}, 1)
    assert model.rates == pytest.approx({"fences": 0.1, "missing": 0.1, "sum": 0.1})


def test_the_seed_of_the_spec_comes_before_that_of_the_run():
    assert build({"seed": "7"}, 1).seed == 7
    assert build({}, 1).seed == 1


def test_mistakes_are_sticky_and_answers_grounded_unless_told_otherwise():
    assert build({}, 1).sticky
    assert build({}, 1).grounded
    assert not build({"sticky": "0"}, 1).sticky
    assert not build({"grounded": "no"}, 1).grounded


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"mistake": "0.2"}, "no setting 'mistake'; it knows mistakes"),
        ({"mistakes": "a lot"}, "mistakes=a lot is no share"),
        ({"mistakes": "1.5"}, "mistakes=1.5 is no share"),
        ({"kinds": "typos"}, "makes no mistake 'typos'"),
        ({"fences": "0.7", "loop": "0.7"}, "add up to more than 1"),
        ({"sticky": "perhaps"}, "sticky=perhaps is no switch"),
        ({"seed": "x"}, "seed=x is no whole number"),
    ],
)
def test_a_setting_that_cannot_be_read_is_named(args, said):
    with pytest.raises(ValueError, match=said):
        build(args, 1)
