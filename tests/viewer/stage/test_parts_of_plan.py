"""Deeds that the plan has in other words: a part of an hour is shown as such, not as a change."""

from playwright.sync_api import Page, expect

from tests.viewer.stage.made_up_replay import at, deed, life, plan, replay, show

ADA = "Ada Brook"


def test_a_part_of_a_planned_hour_says_of_what_it_is_a_part(page: Page) -> None:
    planned = plan(1, (0, 8, "sleeping"), (8, 10, "shopping"), (10, 24, "resting"))
    planned["blocks"][1]["tasks"] = [
        {"start": 480, "end": 540, "activity": "reading over the list", "place": ""},
        {"start": 540, "end": 600, "activity": "paying", "place": ""},
    ]
    deeds = [
        deed(0, (1, 8), "reading over the list"),
        deed(0, (1, 9), "paying"),
        deed(0, (1, 10), "resting", end=at(1, 11)),
        deed(0, (1, 11), "dancing", end=at(1, 12)),
    ]
    show(page, replay([life(0, ADA, plans=[[0, planned]])], deeds=deeds), at(1, 8, 30))
    now = page.get_by_role("tabpanel").locator(".facts")
    expect(now).to_contain_text("Part ofshopping, 08:00 to 10:00")
    page.evaluate("(at) => panel.at(at)", at(1, 10, 30))
    expect(now).to_contain_text("As planned")
    page.evaluate("(at) => panel.at(at)", at(1, 11, 30))
    expect(now).to_contain_text("In the plan")
    page.get_by_role("tab", name="Day", exact=True).click()
    done = page.get_by_role("list", name="Done").get_by_role("listitem")
    expect(done).to_contain_text(["part of: shopping", "09:00", "10:00", "Other than planned"])
    for other in (1, 2):
        expect(done.nth(other)).not_to_contain_text("of:")
    expect(page.get_by_role("tabpanel")).to_contain_text("as planned, or a part of it")
