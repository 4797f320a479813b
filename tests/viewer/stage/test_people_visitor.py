"""The panel of a visitor: who they are, without the home and the plans that they do not have."""

from playwright.sync_api import Page, expect

from tests.viewer.stage.made_up_replay import at, deed, life, replay, show


def test_a_visitor_is_told_by_who_they_are_without_a_home_or_an_end(page: Page) -> None:
    doing = deed(0, (1, 8), "taking notes", end=at(2, 4))
    made_up = replay([life(0, "Ivo Lind")], deeds=[doing])
    (ivo,) = made_up["head"]["people"]
    ivo |= {"visitor": True, "age": None, "traits": "a reporter <b>", "home": ""}
    show(page, made_up, at(1, 8, 30))
    head = page.locator(".person-head")
    expect(head).to_contain_text("a visitor · a reporter <b>")
    expect(head).not_to_contain_text("Home")
    expect(page.get_by_role("tabpanel")).to_contain_text("since 08:00")
    expect(page.get_by_role("tabpanel")).not_to_contain_text("left")
    for section in ("Memories", "Thoughts"):
        page.get_by_role("tab", name=section, exact=True).click()
        expect(page.get_by_role("tabpanel")).to_contain_text(f"A visitor has no {section.lower()}")
        expect(page.get_by_role("tabpanel").locator("select")).to_have_count(0)
