"""A person in a talk: the town waits, a card asks for the line, and the talk is kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from smolville.history.folder import RunFolder, list_runs
from smolville.history.reader import RunReader
from tests.fixtures.browser import new_page
from tests.fixtures.viewing import Served, copied, serving
from tests.viewer.taking_part.covered import covered

OVER = "Your talk with Junko Mori is over. The town waits until you close this."
LINE = "Good evening! <script>alert(1)</script> What is the news in town?"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, lived_runs: Path) -> Path:
    return copied(lived_runs, tmp_path_factory.mktemp("visiting"))


@pytest.fixture(scope="module")
def app(runs: Path) -> Iterator[Served]:
    with serving(runs) as served:
        yield served


def test_somebody_is_rung_up_and_talks_with_a_person(
    app: Served, browser: Browser, runs: Path
) -> None:
    with new_page(browser) as page:
        page.goto(app.at("/run/town?at=1-12:00&play=0&who=Junko+Mori"))
        page.get_by_role("button", name="Take part").first.click()
        page.get_by_role("tab", name="Talk", exact=True).click()
        page.get_by_role("button", name="Ring them up").click()
        page.wait_for_url("**asked=**")
        line = page.get_by_label("Your line")
        line.fill(LINE)
        assert covered(page) == []
        page.get_by_role("button", name="Say it", exact=True).click()
        expect(page.locator(".turn-card .chat-line").nth(1)).to_be_visible()
        # The field has the focus in every turn, wherever the line before was sent from.
        expect(line).to_be_focused()
        expect(page.get_by_role("button", name="Leave without a word")).to_be_visible()
        page.keyboard.type("Thank you, and goodbye.")
        page.get_by_role("button", name="Say it and goodbye").click()
        # The whole talk stays readable, with the last answer, and the map stands at its end.
        expect(page.locator(".turn-head")).to_have_text(OVER)
        expect(page.get_by_label("Your line")).to_be_hidden()
        [name] = set(list_runs(runs)) - {"town"}
        folder = RunFolder.open(runs, name)
        with RunReader(folder) as reader:
            [talk] = [each for each in reader.talks() if "Rosa Lind" in each.participants]
            kinds = [each.kind for each in reader.interventions()]
        expect(page.locator(".turn-card .chat-line div:last-child")).to_have_text(
            [line.text for line in talk.lines]
        )
        page.wait_for_function(
            "(end) => stage.clock.at === end && !stage.clock.playing", arg=talk.end
        )
        assert covered(page) == []
        why = page.locator(".turn-card").get_by_role("link", name="Why they said it")
        assert f"/run/{name}/talk/talk/" in str(why.get_attribute("href"))
        assert page.evaluate("stage.replay.until") < talk.end + 600
        page.locator(".turn-card").get_by_role("button", name="Close").click()
        expect(page.locator(".turn-card")).to_be_hidden()
    mine = [line.text for line in talk.lines if line.speaker == "Rosa Lind"]
    assert mine == [LINE, "Thank you, and goodbye."]
    assert kinds.count("visitor_says") == 2
    assert {line.speaker for line in talk.lines} == set(talk.participants)
