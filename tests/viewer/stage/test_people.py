"""The panel of a person: everything as it was at the moment that is shown, every text a text."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from tests.fixtures.browser import new_page
from tests.viewer.stage.made_up_replay import (
    at,
    deed,
    life,
    memory,
    plan,
    replay,
    show,
    tick,
)

ADA, BEN = "Ada Brook", "Ben Hollis"
RATINGS = [[tick(1, 8), 2, "Small."], [tick(1, 12), 9, "It was a proposal."]]
HOSTILE = '<img src=x onerror="alert(1)"></script><b>bold</b>\u202egnidaer'
IVO = "Ivo Lind"
TALK = "talk/3600/Ada Brook&Ivo Lind"
BAKING = ["open", "why", {"who": ADA, "tick": tick(1, 8)}]
TALKING = ["open", "talk", {"id": TALK}]
NIGHT, NOON = [(0, 8, "sleeping")], [(12, 24, "reading")]


def thought(hour: int, *stimuli: str, **changed: Any) -> list[Any]:
    """Return a thought of the first day as a life tells it."""
    given = {"did": "", "path": "act", "outcome": "", "failed": "", "steps": 0, "calls": 0}
    did, node, *rest = {**given, **changed}.values()
    path = ["perceive", node]
    return [tick(1, hour), at(1, hour), list(stimuli), path, did, *rest, 90.0]


def seek(page: Page, second: int) -> None:
    page.evaluate("(at) => panel.at(at)", second)


def choose(page: Page, section: str) -> None:
    page.get_by_role("tab", name=section, exact=True).click()


def panel(page: Page) -> Locator:
    return page.get_by_role("tabpanel")


def asked(page: Page) -> Any:
    return page.evaluate("window.asked")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page for all replays of this module."""
    with new_page(browser) as fresh:
        yield fresh


@pytest.fixture
def ada() -> dict[str, Any]:
    """Two days of Ada Brook."""
    return life(
        0,
        ADA,
        memories=[
            memory("m1", (1, 8), "Ben is at the counter", importance=RATINGS),
            memory("m2", (1, 9), "The oven is hot", expires=at(2, 0)),
            memory("m3", (1, 10), "Ben bakes badly", kind="thought", depth=1, evidence=["m1"]),
            memory("m4", (2, 7), "Snow fell", strength=[[tick(2, 7), 1], [tick(2, 8), 3]]),
        ],
        plans=[
            [tick(1, 0), plan(1, *NIGHT, (8, 12, "baking"), *NOON)],
            [tick(1, 9), plan(1, *NIGHT, (8, 9, "baking"), (9, 12, "putting out a fire"), *NOON)],
            [tick(2, 0), plan(2, (0, 24, "resting"))],
        ],
        bonds=[
            [0, BEN, "They are neighbours.", "calm"],
            [tick(1, 11), BEN, "They are friends.", "warm"],
        ],
        currently=[[0, "Wants to bake."], [tick(2, 0), "Wants to rest."]],
        thoughts=[
            thought(8, "new_day", did="baking @ House: room", outcome="clean", steps=2, calls=2),
            thought(9, "sight", "sight", path="react", outcome="fallback", steps=1, calls=4),
            thought(10, "action_ended"),
            thought(11, "inner_voice", failed="the model was gone"),
        ],
    )  # fmt: skip


@pytest.fixture
def made_up(ada: dict[str, Any]) -> dict[str, Any]:
    """The replay of Ada and Ben."""
    talk = {
        "id": "talk/3600/Ada Brook&Ben Hollis", "tick": tick(1, 10), "who": [0, 1],
        "place": "House: room", "start": at(1, 10), "end": at(1, 10, 4), "ended": 1,
        "lines": [[0, at(1, 10), "Good morning!", 0], [1, at(1, 10, 2), "I must go.", 1]],
    }  # fmt: skip
    deeds = [
        deed(0, (1, 0), "sleeping", kind="sleep", end=at(1, 8)),
        deed(0, (1, 8), "baking"),
        deed(0, (1, 9), "putting out a fire", flags=1, end=at(1, 12)),
        deed(0, (1, 11), "flying", flags=2, reason="nobody can"),
        deed(0, (2, 0), "resting", end=at(2, 23)),
    ]
    return replay([ada, life(1, BEN)], deeds=deeds, talks=[talk])


def test_now_is_what_held_then(page: Page, made_up: dict[str, Any]) -> None:
    show(page, made_up, at(1, 8, 30))
    now = panel(page)
    expect(now).to_contain_text("baking")
    expect(now).to_contain_text("room, House")
    expect(now).to_contain_text("08:00 to 09:00 · 30 min left")
    expect(now).to_contain_text("baking, 08:00 to 12:00")
    expect(now).to_contain_text("Wants to bake.")
    expect(now).to_contain_text("12:00reading")
    expect(now).not_to_contain_text("fallback")
    seek(page, at(1, 9, 30))
    expect(now).to_contain_text("No model's answer could be used here")
    seek(page, at(1, 3))
    expect(now).to_contain_text("Asleep.")
    seek(page, at(2, 3))
    expect(now).to_contain_text("Wants to rest.")


def test_memories_formed_later_are_not_there_and_ratings_are_those_of_then(
    page: Page, made_up: dict[str, Any]
) -> None:
    show(page, made_up, at(1, 8, 30), section="Memories")
    rows = page.locator(".memory")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("2Small.")
    seek(page, at(1, 13))
    expect(rows).to_have_count(3)
    expect(rows.nth(2)).to_contain_text("9It was a proposal.")
    expect(rows.nth(1)).to_contain_text("Importance 3")
    seek(page, at(2, 12))
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("met 3 times")
    expect(rows.nth(2)).to_contain_text("expired")
    seek(page, at(1, 8, 30))
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("2Small.")


def test_memories_are_searched_sorted_and_lead_to_what_they_rest_on(
    page: Page, made_up: dict[str, Any]
) -> None:
    show(page, made_up, at(2, 12), section="Memories")
    rows = page.locator(".memory")
    page.get_by_label("Order").select_option("important")
    expect(rows.first).to_contain_text("Ben is at the counter")
    page.get_by_label("Kind of memory").select_option("thought")
    expect(rows).to_have_count(1)
    expect(page.locator(".list-count")).to_have_text("1 of 4 memories")
    expect(page.get_by_role("status").filter(has_text="found")).to_have_text("1 found")
    page.get_by_text("Rests on 1 memory").click()
    page.get_by_role("button", name="Ben is at the counter").click()
    expect(page.locator(".memory:focus")).to_contain_text("Ben is at the counter")
    expect(rows).to_have_count(4)
    page.get_by_label("Search memories").fill("SNOW")
    expect(rows).to_have_count(1)
    rows.get_by_role("button", name="Go to Tuesday 7 May, 07:00").click()
    assert asked(page) == [["seek", at(2, 7)]]


def test_the_day_tells_the_morning_plan_from_what_was_done(
    page: Page, made_up: dict[str, Any]
) -> None:
    show(page, made_up, at(1, 9, 30), section="Day")
    planned, done = page.get_by_role("list", name="Planned"), page.get_by_role("list", name="Done")
    expect(planned.get_by_role("listitem").nth(1)).to_have_text(re.compile("^08:00"))
    expect(planned).to_contain_text("then: putting out a fire")
    expect(done.get_by_role("listitem")).to_have_count(3)
    expect(done.get_by_role("listitem").nth(1)).not_to_contain_text("planned")
    fire = done.get_by_role("listitem").nth(2)
    expect(fire).to_contain_text("Other than planned")
    expect(fire).to_contain_text("instead of: baking")
    expect(fire).to_contain_text("fallback")
    seek(page, at(2, 3))
    expect(planned).to_contain_text("resting")
    page.get_by_role("button", name="The day before").click()
    expect(page.get_by_role("heading", name="Monday 6 May")).to_be_visible()
    expect(planned).to_contain_text("baking")
    fire.get_by_role("button", name="09:00").click()
    assert asked(page) == [["seek", at(1, 9)]]


def test_tabs_turn_by_keyboard_and_the_section_stays_with_the_next_person(
    page: Page, made_up: dict[str, Any]
) -> None:
    show(page, made_up, at(1, 9))
    page.get_by_role("tab", name="Now").press("ArrowLeft")
    expect(page.get_by_role("tab", name="Thoughts")).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Day")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="Follow").click()
    page.get_by_role("button", name="Take part").click()
    assert asked(page) == [["follow", 0], ["open", "take-part", {"who": ADA}]]
    page.evaluate("panel.show(1)")
    expect(page.get_by_role("heading", name=BEN)).to_be_visible()
    expect(page.get_by_role("tab", name="Day")).to_have_attribute("aria-selected", "true")


def test_a_file_leads_to_no_page_of_the_server(page: Page, made_up: dict[str, Any]) -> None:
    show(page, {**made_up, "place": "file"}, at(1, 12), section="Thoughts")
    expect(page.locator(".thought")).to_have_count(4)
    for section in ("Talks", "Now", "Day", "Memories"):
        choose(page, section)
        outward = page.get_by_role("button", name=re.compile("Why|Take part"))
        expect(outward).to_have_count(0)


def test_no_section_has_a_serious_fault_for_those_who_cannot_see(
    page: Page, made_up: dict[str, Any]
) -> None:
    show(page, made_up, at(1, 11), section="Thoughts")
    faults = []
    for section in ("Thoughts", "Day", "Memories", "Talks"):
        choose(page, section)
        found = Axe().run(page).response["violations"]
        faults += [(section, each["id"], each["nodes"][0]["html"]) for each in found
                   if each["impact"] in ("serious", "critical")]  # fmt: skip
    assert faults == []


def test_every_text_stays_a_text(page: Page) -> None:
    long = "word " * 20_000
    hostile = life(
        0,
        ADA,
        memories=[memory("m", (1, 8), HOSTILE, importance=[[0, 5, HOSTILE]])],
        plans=[[0, plan(1, (0, 24, HOSTILE))]],
        bonds=[[0, HOSTILE, HOSTILE, HOSTILE]],
        currently=[[0, HOSTILE]],
        thoughts=[[0, 0, [HOSTILE], [HOSTILE], HOSTILE, HOSTILE, HOSTILE, 1, 1, 1.0]],
    )
    talk = {
        "id": HOSTILE, "tick": 0, "who": [0, 1], "place": HOSTILE, "start": 0, "end": 90,
        "ended": -1, "lines": [[1, 0, HOSTILE, 0], [1, 5, long, 0]],
    }  # fmt: skip
    doing = deed(0, (1, 8), HOSTILE, place=HOSTILE, emoji=HOSTILE, state=HOSTILE, object=HOSTILE)
    made_up = replay([hostile, life(1, BEN)], deeds=[doing], talks=[talk])
    made_up["head"]["people"][0]["traits"] = HOSTILE
    show(page, made_up, at(1, 8, 10))
    for section in ("Now", "Day", "Memories", "Bonds", "Talks", "Thoughts"):
        page.get_by_role("tab", name=section, exact=True).click()
        expect(page.get_by_role("tabpanel")).to_contain_text("<b>bold</b>\u202egnidaer")
    assert page.locator("#root img, #root b:has-text('bold'), #root script").count() == 0
    page.get_by_role("tab", name="Talks", exact=True).click()
    bubble = page.locator(".bubble").nth(1)
    assert len(bubble.inner_text()) < 1000
    bubble.get_by_role("button", name="Show all 100,000 letters").click()
    assert len(bubble.text_content() or "") > 100_000
    # A turned-around text keeps to itself: what stands beside it is in an element of its own.
    page.get_by_role("tab", name="Memories", exact=True).click()
    assert page.locator(".memory-text bdi").text_content() == HOSTILE


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
