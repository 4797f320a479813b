"""Taking part from the page: a whisper and its thought, an interview, an object, a fork."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from smolville.history.folder import RunFolder, list_runs
from smolville.history.inbox import read_interviews
from smolville.history.reader import RunReader
from tests.fixtures.browser import new_page, no_faults, when_drawn
from tests.fixtures.viewing import Served, copied, serving
from tests.fixtures.waiting import until

SIZES: tuple[ViewportSize, ...] = (
    {"width": 390, "height": 844},
    {"width": 1280, "height": 800},
)
COVERED = """async () => {
  await Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const those = ".bar button, .bar select, .bar .seek, .bar-clock, .seek-head, canvas.map";
  const shown = [...document.querySelectorAll(those)].filter((each) => each.checkVisibility());
  const hidden = shown.filter((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    // The playhead lets clicks through to the bar that it stands on.
    const own = each.className === "seek-head" ? each.parentElement : each;
    return !top || !own.contains(top);
  });
  return [shown.length, ...hidden.map((each) => each.title || each.className)];
}"""


def covered(page: Page) -> list[str]:
    """Return what of time and map does not lie open to a click at its middle, at any size."""
    found = []
    for size in SIZES:
        page.set_viewport_size(size)
        page.wait_for_function(f"innerWidth === {size['width']}")
        count, *names = page.evaluate(COVERED)
        assert count >= 9, f"only {count} controls at {size}"
        found += [f"{name} at {size['width']}" for name in names]
    return found


WHO = "Walter Brandt"
LINE = 'Tell somebody <img src=x onerror="alert(1)"> that you miss the post office'
OVER = "Your talk with Junko Mori is over. The town waits until you close this."
GREETING = "Good evening! <script>alert(1)</script> What is the news in town?"
VISITOR_IN_THE_MIDDLE = """() => {
    const { replay, map, clock, company } = stage;
    const { x, y } = replay.position(company.visitor, clock.at) ?? {};
    const [left, top] = map.camera.toScreen(x + 0.5, y + 0.5);
    const far = Math.hypot(left - map.camera.wide / 2, top - map.camera.high / 2);
    return map.following === company.visitor && map.camera.now.scale >= 20 && far < 100;
}"""


@pytest.fixture(scope="module")
def runs(lived_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(lived_runs, tmp_path_factory.mktemp("taking"))


@pytest.fixture(scope="module")
def app(runs: Path) -> Iterator[Served]:
    with serving(runs) as served:
        yield served


@pytest.fixture
def town(app: Served, browser: Browser) -> Iterator[Page]:
    with new_page(browser) as page:
        page.goto(app.at("/run/town?at=1-12:00&play=0&who=Walter+Brandt"))
        page.get_by_role("button", name="Take part").first.click()
        page.get_by_role("tab", name="Ask").wait_for()
        yield page


def test_an_interview_is_answered_and_leaves_no_trace(town: Page, runs: Path) -> None:
    folder = RunFolder.open(runs, "town")
    with RunReader(folder) as reader:
        before = reader.version(), len(reader.interventions()), len(reader.memories(WHO))
    question = town.get_by_label("Your question")
    question.fill("What do you think of <b>the post office</b>?")
    question.press("Enter")
    expect(town.locator(".chat-line")).to_have_count(2)
    expect(town.locator(".chat-line").first).to_contain_text("<b>the post office</b>")
    expect(town.get_by_role("status").filter(has_text="As of")).to_contain_text("12:00")
    [kept] = read_interviews(folder, WHO)
    assert kept.at == 12 * 3600
    assert town.locator(".chat-line").nth(1).inner_text().endswith(kept.answer)
    with RunReader(folder) as reader:
        after = reader.version(), len(reader.interventions()), len(reader.memories(WHO))
    assert after[1:] == before[1:]


def test_taking_part_covers_neither_time_nor_the_map(app: Served, browser: Browser) -> None:
    with new_page(browser) as page:
        page.goto(app.at("/run/town?at=1-23:50&play=0&who=Walter+Brandt"))
        page.get_by_role("button", name="Take part").first.click()
        page.get_by_role("tab", name="Ask").wait_for()
        assert covered(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_function("document.querySelector('canvas.map').offsetHeight > 240")


def test_a_fork_begins_at_the_moment_shown(app: Served, browser: Browser, runs: Path) -> None:
    with new_page(browser) as page:
        page.goto(app.at("/run/town?at=1-12:00&play=0"))
        with page.expect_download():
            page.get_by_role("link", name="Export").click()
        page.get_by_role("button", name="Fork here").click()
        name = page.get_by_label("Its name")
        name.fill("town")
        page.get_by_role("button", name="Fork", exact=True).click()
        expect(page.get_by_role("status").filter(has_text="taken")).to_be_visible()
        name.fill("what-if")
        page.get_by_role("button", name="Fork", exact=True).click()
        page.wait_for_url("**/run/what-if?**")
    assert RunFolder.open(runs, "what-if").spec.forked_at == 12 * 360 - 1


def test_a_change_at_the_moment_shown_makes_a_fork_in_which_it_holds(
    town: Page, runs: Path
) -> None:
    before = set(runs.iterdir())
    town.get_by_role("tab", name="Change").click()
    field = town.get_by_label("What is changed?")
    field.fill("the flying carpet is torn")
    town.get_by_role("button", name="Change it").click()
    expect(town.locator(".told.is-trouble").filter(has_text="carpet")).to_be_visible()
    # What could not be applied leaves no fork behind.
    assert set(runs.iterdir()) == before
    field.fill("the notice board is on fire")
    town.get_by_role("button", name="Change it").click()
    town.wait_for_url("**asked=**")
    when_drawn(town, "stage.clock.playing && stage.clock.at > 12 * 3600")
    expect(town.get_by_text("has reached the town, Monday 6 May, 12:00")).to_be_visible()
    [fork] = set(runs.iterdir()) - before
    with RunReader(RunFolder.open(runs, fork.name)) as reader:
        [told] = [each for each in reader.interventions() if each.kind == "object_state"]
    assert (told.kind, told.text, told.tick) == ("object_state", "on fire", 12 * 360)


def test_a_visitor_walks_in_at_the_moment_shown_and_speaks_to_somebody_who_is_near(
    town: Page, runs: Path
) -> None:
    town.get_by_role("tab", name="Walk in").click()
    before = set(runs.iterdir())
    expect(town.get_by_role("radio", name="in a fork of this run").last).to_be_checked()
    town.get_by_role("button", name="Walk in", exact=True).click()
    town.wait_for_url("**visitor=Rosa**")
    when_drawn(town, "stage.company.isThere && stage.clock.live")
    town.wait_for_function(VISITOR_IN_THE_MIDDLE)
    hint = town.get_by_role("note").filter(has_text="Click somebody to speak to them")
    hint.get_by_role("button", name="Got it").click()
    expect(hint).to_have_count(0)
    # The stand-in lives a day in seconds; with a visitor it lives at the page's pace.
    town.wait_for_function("stage.company.rate > 0")
    town.get_by_role("button", name="Take part").first.click()
    town.get_by_role("tab", name="Walk in").click()
    expect(town.get_by_role("heading", name="You are in town as Rosa Lind")).to_be_visible()
    line = town.get_by_label("Your line")
    if not line.is_visible():
        # Nobody has spoken to the newcomer yet.
        town.get_by_role("button", name="Speak to them").click()
    line.fill("Good day! I am new here.")
    assert covered(town) == []
    town.get_by_role("button", name="Say it and goodbye").click()
    [fork] = set(runs.iterdir()) - before
    folder = RunFolder.open(runs, fork.name)

    def talked() -> bool:
        with RunReader(folder) as reader:
            return any("Rosa Lind" in talk.participants for talk in reader.talks())

    until(talked, "the visitor's talk is recorded")
    expect(town.locator(".turn-card .chat-line", has_text="I am new here")).to_be_visible()
    assert folder.spec.forked_at == 12 * 360 - 1
    with RunReader(folder) as reader:
        assert (reader.watermark() or 0) < 14 * 360


def test_a_whisper_becomes_a_thought_whose_why_is_a_click_away(town: Page, runs: Path) -> None:
    town.get_by_role("tab", name="Whisper").click()
    voice = town.get_by_label("What does the inner voice say?")
    # On a telephone what happens after Enter is in view.
    town.set_viewport_size({"width": 390, "height": 844})
    voice.fill(LINE)
    town.get_by_role("radio", name="at the latest moment").last.click()
    voice.press("Enter")
    said = town.get_by_role("status").filter(has_text="hears it from")
    expect(said).to_be_in_viewport(ratio=0.9)
    town.set_viewport_size({"width": 1440, "height": 900})
    expect(voice).to_have_value("")
    town.get_by_role("button", name="Let the run go on now").click()
    reached = town.get_by_role("status").filter(has_text=f"reached the town: {WHO} heard it")
    expect(reached).to_be_visible()
    # The map, which showed noon, is at what is lived now, and shows the moment and the person.
    town.wait_for_function("stage.clock.at >= 86_400")
    with RunReader(RunFolder.open(runs, "town")) as reader:
        [told] = [each for each in reader.interventions() if each.kind == "whisper"]
        assert (told.target, told.text) == (WHO, LINE)
    town.get_by_role("button", name="Show it on the map").click()
    town.wait_for_function(f"stage.clock.at === {told.tick * 10} && !stage.clock.playing")
    town.get_by_role("link", name="What they made of it").click()
    expect(town.get_by_role("heading", level=1)).to_contain_text(WHO)
    expect(town.get_by_text("heed_inner_voice").first).to_be_visible()


def test_somebody_is_rung_up_and_talks_with_a_person(
    app: Served, browser: Browser, runs: Path
) -> None:
    before = set(list_runs(runs))
    with new_page(browser) as page:
        page.goto(app.at("/run/town?at=1-12:00&play=0&who=Junko+Mori"))
        page.get_by_role("button", name="Take part").first.click()
        page.get_by_role("tab", name="Talk", exact=True).click()
        page.get_by_role("button", name="Ring them up").click()
        page.wait_for_url("**asked=**")
        line = page.get_by_label("Your line")
        line.fill(GREETING)
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
        [name] = set(list_runs(runs)) - before
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
    assert mine == [GREETING, "Thank you, and goodbye."]
    assert kinds.count("visitor_says") == 2
    assert {line.speaker for line in talk.lines} == set(talk.participants)


def test_the_card_opens_and_closes_by_keyboard_and_gives_the_focus_back(
    app: Served, page: Page
) -> None:
    page.goto(app.at("/run/town?at=1-12:00&play=0&who=Walter+Brandt"))
    opener = page.locator(".person-acts").get_by_role("button", name="Take part")
    opener.press("Enter")
    expect(page.get_by_role("heading", name="Take part")).to_be_focused()
    no_faults(page)
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(page.get_by_role("tab", name="Ask")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    whom = page.get_by_label("With whom?")
    whom.press("Enter")
    expect(page.locator(".q-menu")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".q-menu")).to_have_count(0)
    page.get_by_role("button", name="Ring them up").press("Escape")
    expect(page.locator(".side-card")).to_have_count(0)
    expect(opener).to_be_focused()
    page.get_by_role("button", name="Fork here").press("Enter")
    expect(page.get_by_role("dialog", name="Fork")).to_be_visible()
    expect(page.get_by_label("Its name")).to_be_focused()
    no_faults(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Fork here")).to_be_focused()
