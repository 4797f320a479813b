"""Marks of the time bar and of what people do, on a small replay."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.fixtures.browser import when_drawn
from tests.viewer.stage.small_stage import SmallServer, head, small_server, tracks


@pytest.fixture(scope="module")
def small() -> Iterator[SmallServer]:
    """A server whose replay a test may exchange."""
    with small_server() as running:
        yield running


def opened(page: Page, server: SmallServer, query: str) -> Page:
    """Open the stage."""
    page.goto(f"{server.root}/run/small{query}")
    when_drawn(page)
    return page


def test_two_thousand_marks_stay_apart_in_their_lanes(page: Page, small: SmallServer) -> None:
    kinds = ("insight", "whisper", "fallback")
    notes = [[tick * 4, tick % 2, kinds[tick % 3], "x"] for tick in range(2000)]
    small.begin(head(), tracks(notes=notes))
    opened(page, small, "?at=1-08:00")
    expect(page.locator(".seek canvas")).to_have_attribute("data-marks", "2002")
    most = page.evaluate("""async () => {
        const { bins } = await import("/stage/marks.js");
        const found = bins(stage.replay.marks(), (at) => stage.bar.seek.x(at), 8);
        return Object.fromEntries(Object.entries(found).map(([kind, { size }]) => [kind, size]));
    }""")
    assert {kind for kind, count in most.items() if count} == {
        "talk",
        "insight",
        "operator",
        "fallback",
    }
    assert max(most.values()) <= 160, most


def test_what_fits_nowhere_and_what_failed_are_no_fallbacks(page: Page, small: SmallServer) -> None:
    shown = tracks(notes=[[2400, 1, "failure", "the model was lost"]])
    shown["deeds"][2][-2] = 4
    small.begin(head(), shown)
    opened(page, small, "?at=1-06:30&who=Ada+Brook")
    card = page.locator(".now-card")
    expect(card).to_contain_text("nowhere")
    expect(card).to_contain_text("found no place that fits")
    expect(card).not_to_contain_text("fallback")
    page.get_by_role("tab", name="People").click()
    expect(page.locator(".roster-row").first).to_contain_text("nowhere")
    kinds = page.evaluate("stage.replay.marks().map(({ kind }) => kind)")
    assert sorted(kinds) == ["failure", "nowhere", "talk"]
