"""What a model, a persona or an operator wrote stays a text in a person's panel."""

from playwright.sync_api import Page, expect

from tests.viewer.stage.made_up_replay import at, deed, life, memory, plan, replay, show

HOSTILE = '<img src=x onerror="alert(1)"></script><b>bold</b>\u202egnidaer'
ADA, BEN = "Ada Brook", "Ben Hollis"


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
