"""The ways to why: beside each deed, talk, reflection and entry of the feed that a thought made."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.viewer.stage.made_up_replay import at, deed, life, memory, replay, show, show_feed, tick

ADA, IVO = "Ada Brook", "Ivo Lind"
TALK = "talk/3600/Ada Brook&Ivo Lind"
BAKING = ["open", "why", {"who": ADA, "tick": tick(1, 8)}]
TALKING = ["open", "talk", {"id": TALK}]


@pytest.fixture
def met() -> dict[str, Any]:
    """A morning of Ada Brook, and of a visitor who talks to her."""
    talk = {
        "id": TALK, "tick": tick(1, 10), "who": [0, 1], "place": "House: room",
        "start": at(1, 10), "end": at(1, 10, 4), "ended": 1,
        "lines": [[0, at(1, 10), "Good morning!", 0]],
    }  # fmt: skip
    deeds = [
        deed(0, (1, 8), "baking", end=at(1, 10)),
        deed(0, (1, 10), "talking with Ivo Lind", kind="talk", end=at(1, 10, 4)),
        deed(1, (1, 9), "looking around", end=at(1, 10)),
        deed(1, (1, 10), "talking with Ada Brook", kind="talk", end=at(1, 10, 4)),
    ]
    memories = [
        memory("m1", (1, 8), "The oven is hot"),
        memory("m2", (1, 9), "Baking calms me", kind="thought", depth=1, evidence=["m1"]),
    ]
    made_up = replay([life(0, ADA, memories=memories), life(1, IVO)], deeds=deeds, talks=[talk])
    made_up["head"]["people"][1] |= {"visitor": True, "age": None}
    return made_up


def ask(page: Page, why: str) -> Any:
    """Press the button of a reason and return where it leads."""
    page.evaluate("window.asked.length = 0")
    page.get_by_role("button", name=why, exact=True).click()
    return page.evaluate("window.asked")


def test_each_deed_talk_and_reflection_of_a_person_leads_to_why(
    page: Page, met: dict[str, Any]
) -> None:
    show(page, met, at(1, 8, 30))
    assert ask(page, "Why baking?") == [BAKING]
    page.evaluate("(at) => panel.at(at)", at(1, 10, 30))
    page.get_by_role("tab", name="Day", exact=True).click()
    assert ask(page, "Why baking?") == [BAKING]
    assert ask(page, "Why talking with Ivo Lind?") == [TALKING]
    page.get_by_role("tab", name="Talks", exact=True).click()
    assert ask(page, "Why they said it") == [TALKING]
    page.get_by_role("tab", name="Memories", exact=True).click()
    assert ask(page, "Why Ada thought so") == [["open", "why", {"who": ADA, "tick": tick(1, 9)}]]
    expect(page.get_by_role("button", name="Why Ada thought so")).to_have_count(1)


def test_a_visitor_has_a_talk_to_be_asked_about_and_no_thoughts(
    page: Page, met: dict[str, Any]
) -> None:
    show(page, met, at(1, 10, 30), n=1, section="Day")
    assert ask(page, "Why talking with Ada Brook?") == [TALKING]
    expect(page.get_by_role("button", name="Why looking around?")).to_have_count(0)


def test_an_entry_of_the_feed_leads_to_the_thought_that_made_it(
    page: Page, met: dict[str, Any]
) -> None:
    show_feed(page, met, at(1, 10, 30))
    assert ask(page, "Why Ada?") == [BAKING]
    assert ask(page, "Why they said it") == [TALKING]
    expect(page.get_by_role("button", name="Why Ivo?")).to_have_count(0)
