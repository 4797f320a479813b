"""The panel of a person and the feed: as it was at the moment shown, and each text a text."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.fixtures.browser import new_page, no_faults
from tests.viewer.stage.made_up_replay import (
    at,
    deed,
    life,
    memory,
    plan,
    replay,
    show,
    show_feed,
    tick,
)

ADA, BEN = "Ada Brook", "Ben Hollis"
RATINGS = [[tick(1, 8), 2, "Small."], [tick(1, 12), 9, "It was a proposal."]]
HOSTILE = '<img src=x onerror="alert(1)"></script><b>bold</b>\u202egnidaer'
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
    for section in ("Thoughts", "Day", "Memories", "Talks"):
        choose(page, section)
        no_faults(page)


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


def ask(page: Page, why: str) -> Any:
    """Press the button of a reason and return where it leads."""
    page.evaluate("window.asked.length = 0")
    page.get_by_role("button", name=why, exact=True).click()
    return page.evaluate("window.asked")


def test_each_deed_talk_and_reflection_of_a_person_leads_to_why(
    page: Page, made_up: dict[str, Any]
) -> None:
    show(page, made_up, at(1, 8, 30))
    assert ask(page, "Why baking?") == [["open", "why", {"who": ADA, "tick": tick(1, 8)}]]
    page.evaluate("(at) => panel.at(at)", at(1, 10, 30))
    choose(page, "Talks")
    talk = made_up["tracks"]["talks"][0]["id"]
    assert ask(page, "Why they said it") == [["open", "talk", {"id": talk}]]
    choose(page, "Memories")
    assert ask(page, "Why Ada thought so") == [["open", "why", {"who": ADA, "tick": tick(1, 10)}]]
    expect(page.get_by_role("button", name="Why Ada thought so")).to_have_count(1)


@pytest.fixture
def morning() -> dict[str, Any]:
    """A morning of Ada and Ben."""
    talk = {
        "id": "t", "tick": tick(1, 9), "who": [1, 0], "place": "House: room", "start": at(1, 9),
        "end": at(1, 9, 4), "ended": -1,
        "lines": [
            [1, at(1, 9), "Hello.", 0], [0, at(1, 9, 1), "Oh!", 1], [1, at(1, 9, 2), "Bye.", 0],
        ],
    }  # fmt: skip
    deeds = [
        deed(0, (1, 7), "sleeping", kind="sleep"),
        deed(0, (1, 8), "baking"),
        deed(0, (1, 9), "talking with Ben", kind="talk", partners=[1]),
        deed(0, (1, 10), "baking"),
        deed(1, (1, 11), "digging", flags=1),
        deed(
            1, (1, 12), "talking with Ada", kind="talk", partners=[0], flags=2, reason="she sleeps"
        ),
    ]
    notes = [
        [tick(1, 8), 0, "plan", "bake and rest"],
        [tick(1, 10), 0, "insight", "Ben is kind."],
        [tick(1, 11), 1, "fallback", "say, ground_block"],
        [tick(1, 11), -1, "announcement", "The fair begins."],
        [tick(1, 12), 1, "failure", "the model was gone"],
    ]
    return replay(
        [life(0, "Ada Brook"), life(1, "Ben Hollis")], deeds=deeds, talks=[talk], notes=notes
    )


def test_what_happened_is_told_newest_first_and_no_further(
    page: Page, morning: dict[str, Any]
) -> None:
    show_feed(page, morning, at(1, 9, 1))
    page.add_style_tag(content=".disc { display: none; }")
    entries = page.get_by_role("article")
    expect(entries).to_have_count(4)
    told = [" ".join(text.split()) for text in entries.all_inner_texts()]
    assert told == [
        "💬 Ben talks with Ada room, House Ben: Hello. Ada: Oh! fallback 09:00 Why?",
        "🗓️ Ada plans the day: bake and rest 08:00 Why?",
        "🍞 Ada is baking room, House 08:00 Why?",
        "🍞 Ada goes to bed room, House 07:00 Why?",
    ]
    page.evaluate("shown.at(86399)")
    expect(entries).to_have_count(10)
    told = [" ".join(text.split()) for text in entries.all_inner_texts()]
    assert told[:5] == [
        "⚠️ Ben could not think: the model was gone 12:00 Why?",
        "🚫 Ben would talk with Ada Brook, but she sleeps. 12:00 Why?",
        "🧩 Ben had no usable answer, a fallback decided: find words, pick where to do it fallback "
        "11:00 Why?",
        "🍞 Ben is digging room, House fallback 11:00 Why?",
        "📣 Announced to all: “The fair begins.” 11:00",
    ]
    page.evaluate("shown.at(0)")
    expect(entries).to_have_count(0)
    expect(page.get_by_text("Nothing like this has happened yet.")).to_be_visible()


def test_the_feed_is_filtered_by_person_kind_and_words(page: Page, morning: dict[str, Any]) -> None:
    show_feed(page, morning, at(2, 0))
    entries = page.get_by_role("article")
    page.get_by_label("Whose").select_option("Ben Hollis")
    expect(entries).to_have_count(5)
    page.get_by_label("What", exact=True).select_option("failures and fallbacks")
    expect(entries).to_have_count(4)
    page.get_by_label("Whose").select_option("everybody")
    page.get_by_label("What", exact=True).select_option("talks")
    expect(entries).to_have_count(1)
    page.get_by_label("What", exact=True).select_option("everything")
    page.get_by_label("Search what happened").fill("kind")
    expect(entries).to_have_count(1)
    expect(entries).to_contain_text("Ada reflects: “Ben is kind.”")
    # The page's own words are found too: what is sought is the text as it is shown.
    for shown in ("Ada is baking", "plans the day: bake", "Ben talks with Ada", "Announced to all"):
        page.get_by_label("Search what happened").fill(shown)
        expect(entries.first).to_contain_text(shown.split()[-1])


def test_every_text_of_the_feed_stays_a_text(page: Page) -> None:
    talk = {
        "id": HOSTILE, "tick": 1, "who": [0], "place": HOSTILE, "start": 10, "end": 90,
        "ended": -1, "lines": [[0, 10, HOSTILE, 0], [0, 20, "word " * 20_000, 0]],
    }  # fmt: skip
    deeds = [deed(0, (1, 8), HOSTILE, place=HOSTILE, emoji=HOSTILE)]
    notes = [[1, 0, "insight", HOSTILE], [2, -1, HOSTILE, HOSTILE]]
    made_up = replay([life(0, "Ada Brook")], deeds=deeds, talks=[talk], notes=notes)
    show_feed(page, made_up, at(1, 9))
    entries = page.get_by_role("article")
    expect(entries).to_have_count(4)
    for entry in entries.all():
        expect(entry).to_contain_text("<b>bold</b>\u202egnidaer")
    assert page.locator("#root img, #root script, #root b:has-text('bold')").count() == 0
    assert page.evaluate("document.getElementById('root').innerText.length") < 5000
