"""A town in which the world and a plot act: the same under every schedule, after a stop, a fork."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.agents.entities import PLOT, WORLD
from smolville.graphs.components import ENTITIES
from smolville.graphs.loop.rules import Rules
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.moments import happenings_between
from smolville.history.reader import RunReader
from smolville.reports.diff import verify_run
from smolville.reports.happenings import happenings
from smolville.reports.newspaper import newspaper
from smolville.reports.runs import opened_run
from smolville.reports.story import write_story
from smolville.world.run_request import RunRequest
from tests.cli.conftest import Command
from tests.whole.lives import HOUR, begin, differing, live, lived, parts

SEED = 2
"""Of this day the newspaper prints the news of the plot."""
UNTIL = 16 * HOUR
"""The plot acts at nine and at three."""
PLOT_TEXT = """
title = "The key"
[[acts]]
act = "Somebody from abroad looks for an old key. It must be in this street. Nobody may know."
people = ["Ada Brook"]
"""


@pytest.fixture(scope="module")
def told(town: Path, small: RunRequest, tmp_path_factory: pytest.TempPathFactory) -> RunRequest:
    """The small town with a plot."""
    folder = tmp_path_factory.mktemp("plotted") / "town"
    shutil.copytree(town, folder)
    (folder / "plot.toml").write_text(PLOT_TEXT, encoding="utf-8")
    return replace(small, town=folder, seed=SEED)


@pytest.fixture(scope="module")
def plotted(told: RunRequest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Its first day until the afternoon; for reading only."""
    return lived(tmp_path_factory.mktemp("plotted-day"), "plotted", told, UNTIL)


def test_entities_act_at_their_hours_and_people_remember_it(plotted: RunFolder) -> None:
    with RunReader(plotted) as reader:
        made = happenings_between(reader.connection)
        ticks = {(each.entity, each.tick * 10 // HOUR) for each in made}
        thoughts = {(each.agent, each.at // HOUR) for each in reader.thoughts(WORLD)}
        heard = [each.text for each in reader.memories("Ada Brook")]
        story = write_story(reader, None)
        told = [each for each in happenings(reader, UNTIL // 10) if each.kind == "town"]
        paper = newspaper(reader, 1, UNTIL // 10)
    assert ticks == {(WORLD, 6), (WORLD, 12), (PLOT, 9), (PLOT, 15)}
    assert thoughts == {(WORLD, 6), (WORLD, 12)}
    weather = [each.text for each in made if each.kind == "weather"]
    assert weather and set(weather) <= set(heard)
    assert all(text in story for text in weather)
    assert [each.text for each in told] == [each.text for each in made]
    assert [text for name, text in paper.almanac if name == "Weather"] == weather
    printed = {quote.text for article in paper.articles for quote in article.quotes}
    assert printed & {each.text for each in made if each.kind not in ("weather", "letter")}


def test_in_the_third_schedule_a_run_goes_on_forks_and_is_rebuilt_the_same(
    told: RunRequest, plotted: RunFolder, tmp_path: Path
) -> None:
    folder, middle = begin(tmp_path, "plotted", replace(told, schedule="lockstep")), 13 * HOUR
    live(folder, middle)
    branch = fork(tmp_path, "plotted", "branch", middle // folder.spec.tick_seconds - 1)
    live(folder, UNTIL)
    live(branch, UNTIL)
    assert differing(parts(plotted), parts(folder)) == []
    assert differing(parts(plotted), parts(branch)) == []
    with opened_run(folder.path.parent, folder.name) as run:
        assert verify_run(run).is_same


def test_left_out_nothing_happens(told: RunRequest, tmp_path: Path) -> None:
    rules = replace(Rules(), without=(ENTITIES.name,))
    folder = lived(tmp_path, "without", replace(told, rules=rules), 10 * HOUR)
    with RunReader(folder) as reader:
        assert happenings_between(reader.connection) == []
        assert reader.thoughts(WORLD) == reader.thoughts(PLOT) == []
        plans = [step for step in reader.use_keys() if step.step == "plan_day"]
        shown = reader.step(plans[0])
    assert shown is not None and "The weather" not in shown.attempts[0].call.messages


def test_show_lists_what_happened(plotted: RunFolder) -> None:
    command = Command(plotted.path.parent, plotted.path / "town")
    shown = command("show", "plotted", "entities")
    assert shown.code == 0
    assert "the world" in shown.out and "The weather in the morning" in " ".join(shown.out.split())
    refused = command("show", "plotted", "Ada", "entities")
    assert refused.code == 2 and "is not about one person" in refused.err
