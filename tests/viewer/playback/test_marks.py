"""One truth about fallbacks: map, bar, list and story mark what the step records say."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.lab.moments.sources import moments_from
from smolville.reports.happenings import happenings
from smolville.reports.health import health
from smolville.reports.stretches import stretches
from smolville.viewer.export import take
from tests.fixtures.browser import new_page, when_drawn_in_file
from tests.fixtures.viewing import lived
from tests.viewer.playback.decided import marks_of

WHO = ("--agents", "Beatriz Aalto,Ravi Menon,Tobias Wren")
"""For some of what they do no place is found, if nobody makes mistakes."""
RUNS = {
    "plain": (*WHO, "--model", "standin"),
    "faulty": (*WHO, "--model", "standin:mistakes=0.5", "--repairs", "0"),
}
SHOWN = """() => {
  const { replay } = window.stage;
  const deeds = replay.people.flatMap((_, n) => [...replay.deeds(n), ...replay.refused(n)]);
  const { people, tick } = replay;
  const marks = replay.marks().map(({ at, n, kind }) => [kind, at / tick, people[n]?.name]);
  return {
    deeds: deeds.map(({ n, tick, kind, fallback, nowhere }) => {
      return [replay.people[n].name, tick, kind, fallback, nowhere];
    }),
    marks: marks.filter(([kind]) => ["fallback", "nowhere", "failure"].includes(kind)),
  };
}"""


@pytest.fixture(scope="module", params=list(RUNS))
def run(request: pytest.FixtureRequest, shared: Path) -> RunFolder:
    """A day without a mistake, and one of which many steps were given up."""
    name = f"marks-{request.param}"
    return RunFolder.open(lived(shared, name, *RUNS[request.param]), name)


@pytest.fixture
def reader(run: RunFolder) -> Iterator[RunReader]:
    """Its history."""
    with RunReader(run) as opened:
        yield opened


@pytest.fixture(scope="module")
def shown(run: RunFolder, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the page knows of the run: the map, the list and a person's day draw from it."""
    path = tmp_path_factory.mktemp("marks") / "town.html"
    with new_page(browser) as page:
        page.goto(take(run, path).path.as_uri() + "?at=1-12:00&play=0")
        when_drawn_in_file(page)
        return page.evaluate(SHOWN)


def is_faulty(run: RunFolder) -> bool:
    """Whether it is the day with mistakes."""
    return run.name.endswith("faulty")


def test_an_action_is_marked_as_the_steps_that_planned_it_ended(
    run: RunFolder, reader: RunReader
) -> None:
    moments = moments_from(run.name, run.path.parent)
    deeds = reader.deeds()
    told = {(each.agent, each.tick, each.action.kind): marks_of(each, moments) for each in deeds}
    kept = {
        (each.agent, each.tick, each.action.kind): (each.action.fallback, each.action.nowhere)
        for each in deeds
    }
    assert kept == told
    marks = Counter(kept.values())
    assert (marks[True, False] > 0) == is_faulty(run)
    outcomes = health(reader).total.outcomes
    assert (outcomes["fallback"] > 0) == is_faulty(run)


def test_the_page_marks_the_actions_that_the_history_marks(reader: RunReader, shown: Any) -> None:
    kept = [
        [each.agent, each.tick, each.action.kind, each.action.fallback, each.action.nowhere]
        for each in reader.deeds()
    ]
    assert sorted(shown["deeds"]) == sorted(kept)


def test_the_bar_marks_steps_that_fell_back_and_what_they_planned(
    reader: RunReader, shown: Any
) -> None:
    deeds = [each for each in reader.deeds() if each.outcome == "accepted"]
    steps = [each for each in reader.steps() if each.outcome == "fallback"]
    assert len(steps) == health(reader).total.outcomes["fallback"]
    places = {
        "fallback": {(each.tick, each.agent) for each in deeds if each.action.fallback}
        | {(each.tick, each.agent) for each in steps},
        "nowhere": {(each.tick, each.agent) for each in deeds if each.action.nowhere},
        "failure": {(each.tick, each.agent) for each in reader.thoughts() if each.failed},
    }
    expected = [[kind, *place] for kind, found in places.items() for place in found]
    assert sorted(shown["marks"]) == sorted(expected)


def test_the_ledger_counts_what_fitted_nowhere_as_the_page_shows_it(
    run: RunFolder, reader: RunReader, shown: Any
) -> None:
    count = health(reader).nowhere
    assert count == sum(nowhere for *_, nowhere in shown["deeds"])
    assert health(reader).plain()["nowhere"] == count


def test_the_story_marks_the_same_activities(run: RunFolder, reader: RunReader) -> None:
    marked = {
        (each.agent, each.action.activity, each.action.fallback, each.action.nowhere)
        for each in reader.deeds()
        if each.outcome == "accepted" and (each.action.fallback or each.action.nowhere)
    }
    told = stretches(reader.deeds())
    assert {(s.agent, each) for s in told for each in s.fallbacks} == {
        m[:2] for m in marked if m[2]
    }
    assert {(s.agent, each) for s in told for each in s.nowhere} == {m[:2] for m in marked if m[3]}
    found = happenings(reader, reader.watermark() or 0)
    doings = [each for each in found if each.kind == "doing"]
    nowhere = any(each[3] for each in marked)
    assert any(each.nowhere for each in doings) == nowhere
    assert any(each.fallback for each in doings) == is_faulty(run)
