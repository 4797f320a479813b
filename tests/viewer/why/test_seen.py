"""What a why page shows is what the history has: recalls, neighbours, sentences, trials."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from smolville.graphs.loop.rules import Rules
from smolville.graphs.mind import stations
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.spec import RunSpec
from smolville.lab.moments.finding import moments_from
from smolville.lab.moments.moment import Moment
from smolville.models.open import open_chat
from smolville.prompts.folder import shipped_texts
from smolville.viewer.config import AppConfig, AppModels
from smolville.viewer.step_names import PLAIN, both_names
from smolville.viewer.why.bench import on_bench
from smolville.viewer.why.lab_page import changes
from smolville.viewer.why.thought_view import ThoughtView, see_talk, see_thought
from smolville.viewer.why.try_form import PromptTrial
from smolville.world.run_resources import RunResources
from tests.viewer.why.conftest import SEED, SPEC


def links_of(seen: ThoughtView) -> dict[str, tuple[str, int]]:
    return {text: (agent, tick) for text, agent, tick in seen.links}


def test_thoughts_lead_to_their_neighbours_and_a_talk_to_the_thought_that_wished_for_it(
    runs: Path,
) -> None:
    first = links_of(see_thought(runs, "clumsy", "Ada", "0"))
    assert "← before" not in first
    second = links_of(see_thought(runs, "clumsy", "ada brook", str(first["next →"][1])))
    assert second["← before"] == ("Ada Brook", 0)
    with RunReader(RunFolder.open(runs, "clumsy")) as reader:
        talk = reader.talks()[0]
    seen = see_talk(runs, "clumsy", talk.id.removeprefix("talk/"))
    [(agent, tick)] = links_of(seen).values()
    assert agent == talk.participants[0]
    wished = see_thought(runs, "clumsy", agent, str(tick))
    assert wished.row is not None and wished.row.intent.startswith("talk to ")


def test_what_was_planned_leads_to_the_plan(runs: Path) -> None:
    with RunReader(RunFolder.open(runs, "clumsy")) as reader:
        ticks = [row.tick for row in reader.thoughts("Ada Brook", 0, 12 * 360)]
    views = [see_thought(runs, "clumsy", "Ada", str(tick)) for tick in ticks]
    planned = [seen for seen in views if "The thought that planned it" in links_of(seen)]
    assert planned
    for seen in planned:
        _, tick = links_of(seen)["The thought that planned it"]
        assert tick < seen.tick
        before = see_thought(runs, "clumsy", "Ada", str(tick))
        step = seen.why.rpartition("(")[2].removesuffix(").")
        assert step in {view.record.step for view in before.steps}


@pytest.mark.parametrize(
    ("one", "other"), [("a\nb\nc", "a\nB\nc"), ("", "x"), ("a", "a"), ("a\na", "a")]
)
def test_changes_hold_both_texts_whole(one: str, other: str) -> None:
    runs = list(changes(one, other))
    assert "\n".join(text for kind, text in runs if kind != "new") == one
    assert "\n".join(text for kind, text in runs if kind != "gone") == other


def moment_with(runs: Path, outcome: str) -> Moment:
    return next(each for each in moments_from("clumsy", runs) if each.outcome == outcome)


class OfTheRun:
    """Opens the stand-in the runs were lived with, as `smolville view` would."""

    @contextmanager
    def __call__(self, spec: RunSpec, model: str | None = None) -> Iterator[AppModels]:
        chat = open_chat(model or SPEC, seed=SEED)[0]
        yield AppModels(chats=(chat, chat), means=RunResources(), rules=Rules())


async def test_a_trial_under_way_is_stopped_and_nobody_waits_for_it(runs: Path) -> None:
    moment = moment_with(runs, "clean")
    trial = PromptTrial(
        config=AppConfig(runs=runs, minds=OfTheRun()),
        moment=moment,
        templates=on_bench(moment).template_set(),
        name="its own",
        model="",
    )
    trial.stop()
    await trial.asked()
    assert trial.is_stopped and trial.evaluation is None and not trial.trouble


def test_every_node_of_a_mind_and_every_step_has_a_name_in_plain_words() -> None:
    steps = {name.removesuffix(".jinja") for name in shipped_texts() if not name.startswith("_")}
    named = {station.name for station in stations()} | steps - {"repair"}
    assert named - PLAIN.keys() == set()
    assert both_names("decompose") == "split an hour into tasks (decompose)"
