"""What a why page shows is what the history has: recalls, neighbours, sentences, trials."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.graphs.loop.rules import Rules
from smolville.graphs.mind import stations
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.spec import RunSpec
from smolville.lab.moments.finding import find_moment, moments_from
from smolville.lab.moments.moment import Moment
from smolville.models.open import open_chat
from smolville.prompts.errors import PromptError
from smolville.prompts.folder import read_overlaid_texts, shipped_texts
from smolville.viewer.config import AppConfig, AppModels
from smolville.viewer.step_names import PLAIN, both_names
from smolville.viewer.why.bench import on_bench
from smolville.viewer.why.message_diff import MOST, changes
from smolville.viewer.why.sentences import came_of, format_costs, format_thought_cause
from smolville.viewer.why.step_card import told_hours
from smolville.viewer.why.thought_view import NoThought, ThoughtView, see_talk, see_thought
from smolville.viewer.why.trial import PromptTrial
from smolville.world.run_resources import RunResources
from tests.viewer.why.conftest import SEED, SPEC


def remembering(runs: Path) -> Iterator[ThoughtView]:
    """Every talk, and every thought to which memories came back."""
    with RunReader(RunFolder.open(runs, "clumsy")) as reader:
        steps = [step for step in reader.steps() if any(each.ids for each in step.recalls)]
    for owner, tick in {(step.owner, step.tick) for step in steps}:
        is_talk = owner.startswith("talk/")
        yield (
            see_talk(runs, "clumsy", owner)
            if is_talk
            else see_thought(runs, "clumsy", owner, str(tick))
        )


def test_thoughts_lead_to_their_neighbours_and_a_talk_to_the_thought_that_wished_for_it(
    runs: Path,
) -> None:
    first = see_thought(runs, "clumsy", "Ada", "0")
    assert first.before is None and first.after is not None
    second = see_thought(runs, "clumsy", "ada brook", str(first.after.tick))
    assert second.before is not None and second.before.tick == 0
    with RunReader(RunFolder.open(runs, "clumsy")) as reader:
        talk = reader.talks()[0]
    seen = see_talk(runs, "clumsy", talk.id.removeprefix("talk/"))
    assert seen.began is not None and seen.began.agent == talk.participants[0]
    wished = see_thought(runs, "clumsy", seen.began.agent, str(seen.began.tick))
    assert wished.row is not None and wished.row.intent.startswith("talk to ")


def test_what_was_planned_leads_to_the_plan_and_a_step_says_of_which_hours_it_is(
    runs: Path,
) -> None:
    with RunReader(RunFolder.open(runs, "clumsy")) as reader:
        ticks = [row.tick for row in reader.thoughts("Ada Brook", 0, 12 * 360)]
    views = [see_thought(runs, "clumsy", "Ada", str(tick)) for tick in ticks]
    planned = [seen for seen in views if seen.planned is not None]
    assert planned
    for seen in planned:
        assert seen.planned is not None and seen.planned.tick < seen.tick
        before = see_thought(runs, "clumsy", "Ada", str(seen.planned.tick))
        assert seen.planned_by in {view.record.step for view in before.steps}
    told = [
        (told_hours(view, 0), told_hours(view, 86_399))
        for seen in views
        for view in seen.steps
        if view.record.step == "decompose"
    ]
    assert told
    for early, late in told:
        assert early.removeprefix("It looks ahead to ") == late.removeprefix("It is about ")
        assert early != late


def test_a_thought_is_told_in_sentences(runs: Path) -> None:
    row = see_thought(runs, "clumsy", "Ada", "0").row
    assert row is not None
    assert format_thought_cause(row).startswith("Ada Brook thought because a new day began")
    ended = replace(row, stimuli=("action_ended", "sight", "sight"))
    assert format_thought_cause(ended, "sweeping the {floor}") == (
        "Ada Brook thought because Ada finished sweeping the {floor}, and needed something new to "
        "do and something new came into sight 2 times."
    )
    assert format_thought_cause(ended).startswith("Ada Brook thought because what Ada did was over")
    assert format_costs([])["Steps"] == ""
    assert came_of(row, ()) == "What came of it: sleeping, at Fern Cottage: bedroom: bed."


@pytest.mark.parametrize("tick", ["17", "x", "-1", "9" * 30, "²"])
def test_where_nothing_was_thought_the_nearest_thoughts_are_offered(runs: Path, tick: str) -> None:
    with pytest.raises(NoThought) as raised:
        see_thought(runs, "clumsy", "Ada", tick)
    assert raised.value.before
    assert (raised.value.after is None) == (tick != "17")
    assert tick[:40] in str(raised.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a\nb\nc", "a\nB\nc"),
        ("", "x"),
        ("a", "a"),
        ("x\n" * MOST + "y", "x\n" * MOST + "z\n"),
        ("a\na", "a"),
        ("\n".join(map(str, range(MOST + 5))), "\n".join(map(str, range(7, MOST + 9)))),
    ],
)
def test_changes_hold_both_texts_whole(one: str, other: str) -> None:
    runs = changes(one, other)
    assert "\n".join(run.text for run in runs if run.kind != "new") == one
    assert "\n".join(run.text for run in runs if run.kind != "gone") == other


def moment_with(runs: Path, outcome: str) -> Moment:
    return next(each for each in moments_from("clumsy", runs) if each.outcome == outcome)


class OfTheRun:
    """Opens the stand-in the runs were lived with, as `smolville view` would."""

    @contextmanager
    def __call__(self, spec: RunSpec, model: str | None = None) -> Iterator[AppModels]:
        chat = open_chat(model or SPEC, seed=SEED)[0]
        yield AppModels(chats=(chat, chat), means=RunResources(), rules=Rules())


def tried(runs: Path, moment: Moment, **edits: str) -> PromptTrial:
    bench = on_bench(moment)
    for file, text in edits.items():
        bench.edit(f"{file}.jinja", text)
    trial = PromptTrial(
        config=AppConfig(runs=runs, minds=OfTheRun()),
        moment=moment,
        templates=bench.template_set(),
        name="its own",
        model="",
        times=2,
    )
    trial.ask()
    return trial


def test_the_unchanged_template_gives_the_stored_answer(runs: Path) -> None:
    moment = moment_with(runs, "repaired")
    trial = tried(runs, moment)
    assert trial.evaluation is not None and not trial.trouble
    first, second = trial.evaluation.results
    assert (first.answer, first.outcome, first.attempts) == (moment.answer, "repaired", 2)
    assert first.reply == moment.attempts[0].call.reply
    assert second.turn == 1 and trial.done == 2


async def test_a_trial_under_way_is_stopped_and_nobody_waits_for_it(runs: Path) -> None:
    moment = moment_with(runs, "clean")
    trial = PromptTrial(
        config=AppConfig(runs=runs, minds=OfTheRun()),
        moment=moment,
        templates=on_bench(moment).template_set(),
        name="its own",
        model="",
        times=5_000,
    )
    asking = asyncio.create_task(trial.asked())
    while not trial.done:
        await asyncio.sleep(0)
    trial.stop()
    await asking
    assert trial.is_stopped and trial.evaluation is None and not trial.trouble
    assert 0 < trial.done < trial.times


def test_an_edit_is_refused_before_a_model_is_asked(runs: Path) -> None:
    moment = moment_with(runs, "clean")
    with pytest.raises(PromptError, match=f"{moment.step}.jinja, line 2: what stands outside"):
        text = shipped_texts()[f"{moment.step}.jinja"]
        tried(runs, moment, **{moment.step: text.replace("\n", "\n{{ nobody }}", 1)})


def test_what_is_kept_is_a_folder_that_gives_the_same_templates(runs: Path, tmp_path: Path) -> None:
    bench = on_bench(find_moment(runs, moment_with(runs, "clean").id))
    file = bench.files[0]
    assert bench.overlay() == {}
    bench.edit(file, shipped_texts()[file].replace("Rules:", "Rules for you:"))
    bench.edit("nobody.jinja", "x")
    name, content = bench.pack_overlay()
    assert name == file and list(bench.overlay()) == [file]
    (tmp_path / name).write_bytes(content)
    assert read_overlaid_texts(tmp_path) == bench.texts
    bench.edit("repair.jinja", shipped_texts()["repair.jinja"] + "{# mine #}\n")
    assert bench.pack_overlay()[0] == "mine.zip"
    bench.edit(file, shipped_texts()[file])
    bench.edit("repair.jinja", shipped_texts()["repair.jinja"])
    assert bench.edits == {}


def test_every_node_of_a_mind_and_every_step_has_a_name_in_plain_words() -> None:
    steps = {name.removesuffix(".jinja") for name in shipped_texts() if not name.startswith("_")}
    named = {station.name for station in stations()} | steps - {"repair"}
    assert named - PLAIN.keys() == set()
    assert both_names("decompose") == "split an hour into tasks (decompose)"
