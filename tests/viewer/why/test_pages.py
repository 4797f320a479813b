"""Why pages and the lab in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zipfile import ZipFile

import orjson
import pytest
from playwright.sync_api import Browser, Page, expect

from smolville.agents.persona import Weights
from smolville.agents.stream import CHANNELS
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.moments.finding import moments_from
from smolville.lab.moments.moment import Moment
from smolville.prompts.folder import shipped_texts
from smolville.viewer.elements import sound
from smolville.viewer.step_names import plain_name
from smolville.viewer.why.step_card import QUALITIES
from smolville.viewer.why.thought_view import ThoughtView, see_talk, see_thought
from tests.fixtures.browser import new_page, no_faults
from tests.fixtures.viewing import Served, serving
from tests.viewer.why import hostile

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def served(runs: Path) -> Iterator[Served]:
    """The app over the runs."""
    with serving(runs) as app:
        yield app


def thought_of(runs: Path, outcome: str, run: str = "clumsy") -> ThoughtView:
    """A thought in which a step with memories or several ended so."""
    with RunReader(RunFolder.open(runs, run)) as reader:
        found = [step for step in reader.steps() if step.outcome == outcome]
    own = [step for step in found if not step.owner.startswith("talk/")]
    best = max(own, key=lambda step: len([id_ for each in step.recalls for id_ in each.ids]))
    return see_thought(runs, run, best.owner, str(best.tick))


def opened(page: Page, served: Served, seen: ThoughtView) -> None:
    if seen.talk is not None:
        path = f"/run/{seen.run}/talk/{quote(seen.talk.talk.id)}"
    else:
        path = f"/run/{seen.run}/why/{quote(seen.agents[0])}/{seen.tick}"
    page.goto(served.at(path))
    page.wait_for_selector(".step")


def messages_shown(page: Page, number: int) -> list[str]:
    card = page.locator(f"#step-{number + 1}")
    found: list[str] = card.locator(".messages pre").evaluate_all(
        "all => all.map(e => e.textContent)"
    )
    return found


def messages_kept(seen: ThoughtView, number: int) -> list[str]:
    """Return a step's messages, those of a repair without what the call before had too."""
    kept: list[str] = []
    before: list[object] = []
    for attempt in seen.steps[number].attempts:
        told = orjson.loads(attempt.call.messages)
        same = next((n for n, one in enumerate(before) if one != told[n]), len(before))
        kept += [each["content"] for each in told[same:]]
        before = told
    return kept


def test_a_repaired_thought_shows_all_that_was_asked_and_answered(
    served: Served, runs: Path, page: Page
) -> None:
    seen = thought_of(runs, "repaired")
    opened(page, served, seen)
    assert seen.row is not None
    title = f"Why {seen.agents[0]} {'did that' if seen.row.intent else 'went on as before'}"
    expect(page.locator("h1")).to_have_text(title)
    for number, view in enumerate(seen.steps):
        card = page.locator(f"#step-{number + 1}")
        assert messages_shown(page, number) == messages_kept(seen, number)
        expect(card.locator(".outcome").first).to_contain_text(view.record.outcome)
        text = card.inner_text()
        for attempt in view.attempts:
            assert attempt.reading is not None
            for problem in attempt.reading.problems:
                assert problem in text
            assert attempt.call.template in text
        replies = card.locator(".attempt > .raw pre")
        shown = replies.evaluate_all("all => all.map(e => e.textContent)")
        assert shown == [attempt.call.reply for attempt in view.attempts]
        assert ("Repair 1" in text) is (view.record.attempts > 1)
    # In words for people, with the names that prompts and commands use below.
    taken = page.locator(".station.is-taken")
    path = list(dict.fromkeys(seen.row.path)) if seen.row is not None else []
    names = taken.locator("code").all_inner_texts()
    assert sorted(names) == sorted(path), "those beside one another stand in either order"
    for told, name in zip(taken.locator(".station-name").all_inner_texts(), names, strict=True):
        assert told.startswith(plain_name(name)) and "_" not in told
    no_faults(page)


def test_what_is_odd_is_a_chip_beside_the_outcome_and_its_sentences(
    served: Served, runs: Path, page: Page
) -> None:
    with RunReader(RunFolder.open(runs, "odd")) as reader:
        spoilt = [step for step in reader.steps() if step.odd]
        own = next(step for step in spoilt if step.step == "plan_day")
        line = next(step for step in spoilt if step.step == "say")
    seen = see_thought(runs, "odd", own.owner, str(own.tick))
    opened(page, served, seen)
    number = [view.record.step for view in seen.steps].index("plan_day")
    card = page.locator(f"#step-{number + 1}")
    expect(card.locator(".step-head .outcome.is-odd")).to_have_text("◇odd")
    expect(card.locator(".problems.odd li")).to_have_text([*own.odd])
    expect(card).to_contain_text("Objected to: hours, repeat")
    expect(card.locator(".step-ending")).to_contain_text("A check says that something in it")
    expect(page.locator(".why-head .is-odd")).to_have_count(1)
    expect(page.locator(".step-head .is-odd")).to_have_count(1)
    no_faults(page)
    card.get_by_role("link", name="Open in the lab").click()
    expect(page.locator(".lab .is-odd").first).to_be_visible()
    opened(page, served, see_talk(runs, "odd", line.owner))
    expect(page.locator(".said .is-odd")).to_have_count(1)


def sum_of(row: dict[str, Any], weights: Weights) -> str:
    """Return a memory's sum as it is to be shown; a query without keywords compares one channel."""
    parts = (f"{name} {getattr(weights, name):g} x {row[name]:.3f}" for name in QUALITIES)
    channels = ", ".join(f"{name} {row[name]:.3f}" for name in CHANNELS if name in row)
    assert ("sentence" in row) is ("keywords" in row)
    return f"= {' + '.join(parts)}" + (f" ({channels})" if channels else "")


def test_memories_have_their_sums_and_a_talk_leads_to_the_thought_that_wished_for_it(
    served: Served, runs: Path, page: Page
) -> None:
    with RunReader(RunFolder.open(runs, "clumsy")) as reader:
        seen = see_talk(runs, "clumsy", reader.talks()[0].id)
    opened(page, served, seen)
    both = 0
    for number, view in enumerate(seen.steps):
        rows = orjson.loads(view.attempts[0].call.recalled)
        shown = page.locator(f"#step-{number + 1} .memories:not(.is-missed)")
        sums = set(shown.locator(".memory-sum").all_inner_texts())
        weights = seen.weights[view.record.agent]
        assert sums == {sum_of(row, weights) for row in rows}
        both += sum("(sentence" in each for each in sums)
    assert both
    assert seen.talk is not None
    said = page.locator(".said .line p").all_inner_texts()
    assert said == [line.text for line in seen.talk.talk.lines]
    page.get_by_role("link", name="The thought that wished for it").click()
    expect(page.locator(".why-head")).to_contain_text("What came of it: talk to")
    page.get_by_role("link", name="← before").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".why-head")).not_to_contain_text("talk to")


def test_a_fallback_is_said_plainly_at_the_width_of_a_phone(
    served: Served, runs: Path, page: Page
) -> None:
    page.set_viewport_size(PHONE)
    seen = thought_of(runs, "fallback", "given_up")
    opened(page, served, seen)
    number = next(n for n, view in enumerate(seen.steps) if view.record.outcome == "fallback")
    card = page.locator(f"#step-{number + 1}")
    expect(card).to_contain_text("no model's answer stands behind what follows")
    expect(card).to_contain_text("The fallback that was used")
    expect(card).to_contain_text(seen.steps[number].record.problems[0])
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    no_faults(page)


def test_what_is_not_there_is_told_in_a_sentence(served: Served, browser: Browser) -> None:
    with new_page(browser, expected=("404",)) as page:
        answer = page.goto(served.at("/run/clumsy/why/Ada/17"))
        assert answer is not None and answer.status == 404
        no_faults(page)
        for path, told in (
            ("clumsy/why/Ada/17", "Ada Brook thought nothing at tick 17"),
            ("clumsy/why/Nobody/3", "Nobody in the run 'clumsy' is called 'Nobody'"),
            ("clumsy/talk/4/x", "There is no talk '4/x'"),
            ("clumsy/lab/zz", "names no moment"),
            ("nowhere/lab/abcdef12", "There is no run 'nowhere'"),
            (f"hostile/why/{quote(hostile.BROKEN)}/0", "damaged"),
            (f"hostile/why/{quote(hostile.IMAGE)}/0", "called '<img src=x onerror"),
        ):
            page.goto(served.at(f"/run/{path}"))
            expect(page.locator(".trouble").first).to_contain_text(told, ignore_case=True)
        assert page.locator("img").count() == 0


def test_hostile_texts_stay_texts(served: Served, runs: Path, page: Page) -> None:
    seen = see_thought(runs, "hostile", hostile.AGENT, "0")
    opened(page, served, seen)
    assert messages_shown(page, 0) == [hostile.NASTY, hostile.HUGE]
    reply = page.locator("#step-1 .attempt > .raw pre").first.evaluate("e => e.textContent")
    assert reply == sound(f"{hostile.NASTY}\n{hostile.HALF}")
    expect(page.locator(".why-head")).to_contain_text(hostile.IMAGE)
    expect(page.locator(".why-head")).not_to_contain_text("\u202e")
    with RunReader(RunFolder.open(runs, "hostile")) as reader:
        talk = reader.talks()[0]
    page.goto(served.at(f"/run/hostile/talk/{quote(talk.id)}"))
    expect(page.locator(".said strong").first).to_have_text(hostile.IMAGE)
    page.goto(served.at(f"/run/hostile/why/{quote(hostile.LOST)}/0"))
    expect(page.locator(".why-head .trouble").first).to_contain_text("The thought failed")
    expect(page.locator(".why-steps .trouble").first).to_contain_text("is damaged")
    assert page.locator("img").count() == 0
    assert "hacked" not in page.title()


def lab_of(page: Page, served: Served, runs: Path, outcome: str) -> Moment:
    moment = next(each for each in moments_from("clumsy", runs) if each.outcome == outcome)
    page.goto(served.at(f"/run/clumsy/lab/{moment.id.partition('/')[2]}"))
    page.wait_for_selector(".cm-content[aria-label]")
    return moment


def write(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Template").focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def test_the_lab_tries_the_moment_as_it_was_then_edits_and_keeps_it(
    served: Served, runs: Path, page: Page
) -> None:
    moment = lab_of(page, served, runs, "repaired")
    file = f"{moment.step}.jinja"
    expect(page.get_by_text("The model gets the same, to the letter.")).to_be_visible()
    expect(page.locator(".command", has_text=f"--runs {served.runs}")).to_have_count(3)
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.get_by_text("The stored answer, word for word.")).to_be_visible()
    no_faults(page)

    shipped = shipped_texts()[file]
    write(page, shipped.replace("Rules:", f"Rules, {{{{ nobody }}}} {hostile.IMAGE}:"))
    where = shipped[: shipped.index("Rules:")].count("\n") + 1
    finding = page.locator(".finding.is-error")
    expect(finding).to_contain_text(f"{file}, line {where}")
    expect(finding).to_contain_text("`nobody` does not exist")
    expect(page.locator(".cm-line.line-error")).to_have_count(1)
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.get_by_text("Not asked:")).to_contain_text("nobody")

    write(page, shipped.replace("Rules:", f"Rules {hostile.IMAGE} {hostile.SCRIPT}:"))
    expect(page.get_by_text("Nothing is wrong with what was edited.")).to_be_visible()
    expect(page.locator(".change.is-new pre")).to_have_text(
        f"Rules {hostile.IMAGE} {hostile.SCRIPT}:"
    )
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.locator(".answer-card")).to_have_count(3)
    with page.expect_download() as download:
        page.get_by_role("button", name="Keep as overlay").click()
    with ZipFile(download.value.path()) as kept:
        assert hostile.IMAGE in kept.read(file).decode()

    page.reload()
    expect(page.locator(".cm-content")).to_contain_text(hostile.IMAGE)
    page.get_by_label("Model").fill("nonsense")
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.get_by_text("The model spec 'nonsense' cannot be read")).to_be_visible()
    page.get_by_role("button", name="Take back this file's edits").click()
    expect(page.get_by_text("The model gets the same, to the letter.")).to_be_visible()
    assert page.locator("img").count() == 0
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "night")
    page.wait_for_function(
        "getComputedStyle(document.querySelector('.cm-editor')).backgroundColor != "
        "'rgb(255, 255, 255)'"
    )
    no_faults(page)
