"""What a study of ablations compares, and how its figures are put together."""

from itertools import pairwise

import pytest

from smolville.agents.errors import RunError
from smolville.graphs.components import component_names
from smolville.lab.ablation import (
    PAPER,
    CellFigures,
    Study,
    list_cells,
    read_numbers,
    read_study,
)

FIGURES = {
    "prompt_tokens": 900,
    "reply_tokens": 90,
    "model_seconds": 9.0,
    "actions": 60,
    "activities": 30,
    "talks": 6,
    "reflections": 3,
    "failed_thoughts": 0,
}


def figures(calls: int, odd: float | None) -> CellFigures:
    """What a run came to, with these calls and this share of odd steps."""
    return CellFigures(calls=calls, odd=odd, **FIGURES)


def test_the_papers_study_takes_away_one_component_after_the_other() -> None:
    assert read_study("paper") == PAPER
    assert read_study("aga") == ((), ("routines",), ("social",), ("routines", "social"))
    assert [len(without) for without in PAPER] == [0, 1, 2, 3]
    assert all(set(less) < set(more) for less, more in pairwise(PAPER))


def test_each_component_is_left_out_alone_and_then_all_of_them() -> None:
    whole, *single, bare = read_study("each")
    assert whole == () and bare == component_names()
    assert single == [(name,) for name in component_names()]


def test_a_study_of_ones_own_begins_with_the_whole_mind_and_names_each_kind_once() -> None:
    asked = read_study("social; reflection,planning; planning, reflection")
    assert asked == ((), ("social",), ("planning", "reflection"))


@pytest.mark.parametrize("text", ["", "wings", "reflection;", "paper;each", "reflection;wings"])
def test_what_is_no_study_is_told_with_the_components(text: str) -> None:
    with pytest.raises(
        RunError, match=f"components are {', '.join(component_names())}\\."
    ) as caught:
        read_study(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["", "0", "1,,2", "-1", "1.5", "x"])
def test_what_is_no_list_of_numbers_is_told(text: str) -> None:
    with pytest.raises(RunError, match=r"--casts cannot be .*: write whole numbers from 1 up"):
        read_numbers(text, "--casts", 1)


def test_every_seed_is_complete_before_the_next_begins_and_names_are_unique() -> None:
    cells = list_cells(read_study("each"), (1, 25), (0, 1))
    assert len({cell.name for cell in cells}) == len(cells) == 4 * len(read_study("each"))
    assert [(cell.cast, cell.seed) for cell in cells[:: len(read_study("each"))]] == [
        (1, 0),
        (1, 1),
        (25, 0),
        (25, 1),
    ]
    assert cells[0].name == "full-cast1-seed0"


def test_figures_are_per_person_over_the_seeds_that_are_lived_and_shares_are_not() -> None:
    cells = list_cells(((), ("social",)), (3,), (0, 1, 2))
    whole = [cell for cell in cells if not cell.without]
    lived = {whole[0]: figures(30, 0.9), whole[1]: figures(60, None)}
    study = Study(cells=cells, lived=lived)
    (row,) = study.rows()
    assert (row.without, row.cast, row.seeds) == ((), 3, (0, 1))
    calls, odd = row.figures["calls"], row.figures["odd"]
    assert calls is not None and (calls.mean, calls.least, calls.most) == (15, 10, 20)
    assert odd is not None and (odd.mean, odd.least) == (0.9, 0.9)
    assert study.plain()["finished"] is False
