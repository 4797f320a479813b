"""The feed: what happened up to the moment that is shown, as sentences."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from playwright.sync_api import Browser, Page, expect

from smolville.agents.entities import HappeningKind
from smolville.history.records import WishKind
from smolville.viewer.playback.notes import KINDS, NOTED
from smolville.world.engine import OF_THE_RUN
from tests.fixtures.browser import new_page
from tests.viewer.stage.made_up_replay import STAGE, at, deed, life, replay, show_feed, tick

HOSTILE = '<img src=x onerror="alert(1)"></script><b>bold</b>\u202egnidaer'


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page for all replays of this module."""
    with new_page(browser) as fresh:
        yield fresh


@pytest.fixture
def made_up() -> dict[str, Any]:
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
    page: Page, made_up: dict[str, Any]
) -> None:
    show_feed(page, made_up, at(1, 9, 1))
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


def test_the_feed_is_filtered_by_person_kind_and_words(page: Page, made_up: dict[str, Any]) -> None:
    show_feed(page, made_up, at(2, 0))
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


def test_an_announcement_says_who_has_heard_it_and_leads_to_their_memories(
    page: Page, made_up: dict[str, Any]
) -> None:
    text = "The fair begins."
    made_up["tracks"]["notes"] += [
        [tick(1, 11), 0, "hears", text],
        [tick(1, 13), 1, "hears", text],
        [tick(1, 13), 1, "hears", "Something that nobody announced."],
    ]
    show_feed(page, made_up, at(1, 12))
    told = page.get_by_role("article").filter(has_text=text)
    expect(told.locator(".feed-heard")).to_have_text("Heard by Ada")
    page.evaluate("shown.at(86399)")
    expect(told.locator(".feed-heard")).to_have_text("Heard by Ada Ben")
    told.get_by_role("button", name="What Ben Hollis remembers of it").click()
    assert page.evaluate("asked") == [["seek", at(1, 13)], ["pick", 1, "Memories"]]


def test_a_changed_object_says_that_nobody_has_noticed_it_and_then_who_did_first(
    page: Page, made_up: dict[str, Any]
) -> None:
    fire = "oven is now: on fire"
    made_up["tracks"]["notes"] += [
        [tick(1, 9), -1, "object", fire],
        [tick(1, 11), 1, "sees", "the oven is on fire", fire],
        [tick(1, 13), 0, "sees", "the oven is on fire", fire],
        [tick(1, 14), 1, "sees", "the oven is on fire", fire],
    ]
    show_feed(page, made_up, at(1, 10))
    page.add_style_tag(content=".disc { display: none; }")
    oven = page.get_by_role("article").filter(has_text=fire)
    expect(oven.locator(".feed-heard")).to_have_text("Nobody has noticed it yet.")
    page.evaluate("shown.at(86399)")
    expect(oven.locator(".feed-heard")).to_have_text("Noticed by Ben Ada")
    oven.get_by_role("button", name="What Ben Hollis remembers of it").click()
    assert page.evaluate("asked") == [["seek", at(1, 11)], ["pick", 1, "Memories"]]


def test_every_kind_of_note_has_words() -> None:
    recorded = {KINDS.get(each, each) for each in (*get_args(WishKind), *OF_THE_RUN)}
    assert recorded <= set(NOTED)
    text = (STAGE / "note_words.js").read_text("utf-8")
    rows = re.findall(
        r'^  "?([\w ]+)"?: \{ group: "(\w+)", emoji: ".+", verb: "', text, re.MULTILINE
    )
    assert sorted(kind for kind, _ in rows) == sorted(NOTED)
    assert {group for _, group in rows} == {"thought", "town", "outside", "trouble"}
    assert {kind for kind, group in rows if group == "town"} == set(get_args(HappeningKind))


def test_what_visitors_do_is_told_from_outside_and_said_aloud_as_they_come_and_go(
    page: Page,
) -> None:
    notes = [
        [tick(1, 6), -1, "weather", "It rains."],
        [tick(1, 7), -1, "closing", "The library is shut."],
        [tick(1, 8), 1, "visit", "a reporter"],
        [tick(1, 9), 1, "turns", "Ada Brook"],
        [tick(1, 10), 1, "leaves", "leaves the town"],
        [tick(1, 11), 1, "call", ""],
        [tick(1, 12), -1, "templates", "From here on with another act.j2"],
    ]
    show_feed(page, replay([life(0, "Ada Brook"), life(1, "Ivo Lind")], notes=notes), at(1, 12))
    page.add_style_tag(content=".disc { display: none; }")
    page.get_by_label("What", exact=True).select_option("from outside")
    told = [
        "✏️ From here on with another act.j2 12:00",
        "☎️ Ivo calls from outside. 11:00",
        "🚪 Ivo leaves the town 10:00",
        "👋 Ivo turns to Ada Brook 09:00",
        "🚪 Ivo comes to town: a reporter 08:00",
    ]
    expect(page.get_by_role("article")).to_have_text(told, use_inner_text=True)
    marks = page.evaluate("replay.marks().map(({ kind }) => kind)")
    assert marks == ["town", *["operator"] * 5]
    heard = "(at) => telling(replay, at, at)"
    assert page.evaluate(heard, at(1, 8)) == "Ivo comes to town: a reporter"
    assert page.evaluate(heard, at(1, 9)) == ""
    assert page.evaluate(heard, at(1, 11)) == "Ivo calls from outside."


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
