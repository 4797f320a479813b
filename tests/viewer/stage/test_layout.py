"""Where labels lie on the map: the layout by itself, as a function of boxes."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from tests.fixtures.browser import new_page
from tests.viewer.stage.small_stage import small_server

Json = dict[str, Any]
LAY = """async ([candidates, { before = {}, ...more }]) => {
  const { layOut } = await import("/stage/map/layout.js");
  const found = layOut(candidates, { before: new Map(Object.entries(before)), ...more });
  return Object.fromEntries(found);
}"""


@pytest.fixture(scope="module")
def bare(browser: Browser) -> Iterator[Page]:
    """A page that can load the stage's modules."""
    with small_server() as server, new_page(browser) as page:
        page.goto(server.root)
        yield page


def box(x: float, y: float, **more: Any) -> Json:
    """Return a box of 40 by 10."""
    return {"x": x, "y": y, "w": 40, "h": 10, **more}


def label(key: str, rank: float, *spots: Json, **more: Any) -> Json:
    """Return a candidate."""
    return {"key": key, "rank": rank, "spots": list(spots), **more}


def lay(page: Page, *candidates: Json, **more: Any) -> dict[str, int]:
    """Return the number of the spot that each label has; those that are hidden are missing."""
    found: dict[str, int] = page.evaluate(LAY, [list(candidates), more])
    return found


def test_who_matters_most_is_shown_and_who_has_another_spot_goes_there(bare: Page) -> None:
    names = ("place", 6), ("asleep", 3), ("active", 2), ("followed", 0), ("talking", 1)
    same = [label(name, rank, box(0, 0)) for name, rank in names]
    assert lay(bare, *same) == {"followed": 0}
    assert lay(bare, *same[:3]) == {"active": 0}
    moves = label("moves", 6, box(20, 5), box(0, 20))
    assert lay(bare, same[0], moves) == {"place": 0, "moves": 1}


def test_a_label_stays_where_it_was_and_one_that_comes_needs_more_room(bare: Page) -> None:
    two = label("name", 2, box(0, 0), box(0, 40))
    assert lay(bare, two) == {"name": 0}
    assert lay(bare, two, before={"name": 1}) == {"name": 1}
    beside = label("other", 0, box(41, 0))
    assert lay(bare, beside, label("name", 2, box(0, 0))) == {"other": 0}
    assert lay(bare, beside, label("name", 2, box(0, 0)), before={"name": 0}) == {
        "other": 0,
        "name": 0,
    }
    assert lay(bare, two, before={"name": 7}) == {"name": 0}


SPOT = st.builds(
    lambda x, y, w, h: {"x": x, "y": y, "w": w, "h": h},
    *(st.integers(-50, 200) for _ in range(2)),
    *(st.integers(1, 90) for _ in range(2)),
)


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.lists(SPOT, min_size=1, max_size=4)), max_size=25),
    st.lists(SPOT, max_size=3),
)
def test_no_label_covers_another_and_the_same_picture_gives_the_same_layout(
    bare: Page, given_: list[tuple[int, list[Json]]], fixed: list[Json]
) -> None:
    candidates = [label(str(n), rank, *spots) for n, (rank, spots) in enumerate(given_)]
    found = lay(bare, *candidates, fixed=fixed)
    shown = [candidates[int(key)]["spots"][spot] for key, spot in found.items()]
    for n, one in enumerate(shown):
        for other in (*shown[:n], *fixed):
            across = one["x"] < other["x"] + other["w"] and other["x"] < one["x"] + one["w"]
            down = one["y"] < other["y"] + other["h"] and other["y"] < one["y"] + one["h"]
            assert not (across and down)
    assert lay(bare, *candidates, fixed=fixed, before=found) == found
