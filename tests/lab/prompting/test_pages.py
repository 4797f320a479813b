"""What is listed, shown and copied out of templates is true of them."""

import json
from pathlib import Path

import pytest

from smolville.agents.errors import SettingError
from smolville.graphs.catalogue import ENTITY, OTHER_SAMPLES, SAMPLES, STEPS, check_templates
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.graphs.loop.step import AnyStep
from smolville.lab.moments.moment import Moment
from smolville.lab.prompting.template_view import faults_of, show_step
from smolville.lab.prompting.templates import eject, list_templates
from smolville.models.tokens import estimate_prompt
from smolville.parsers.problem import KINDS
from smolville.prompts.folder import FOLDER, read_overlaid_texts, shipped_texts

NAMES = [step.name for step in STEPS]


@pytest.fixture
def texts() -> dict[str, str]:
    """The shipped templates, to be edited."""
    return dict(shipped_texts())


def test_a_row_tells_a_templates_version_variables_and_size(tmp_path: Path) -> None:
    rows = list_templates(tmp_path / "runs")
    assert [row.step for row in rows] == NAMES
    for step, row in zip(STEPS, rows, strict=True):
        assert row.version == step.prompt.version
        assert set(row.variables) == set(step.inputs.model_fields)
        messages = step.prompt.render(SAMPLES[step.name])
        assert row.stable + row.volatile == estimate_prompt(messages)
        assert 100 < row.stable < estimate_prompt(messages[:1])
        assert (row.runs, row.uses, row.share("clean")) == (0, 0, None)


def test_one_more_word_for_everybody_is_stable_and_one_for_the_moment_volatile(
    tmp_path: Path, texts: dict[str, str]
) -> None:
    before = {row.step: row for row in list_templates(tmp_path)}["say"]
    texts["say.jinja"] = texts["say.jinja"].replace(
        "Rules:\n", "Rules:\n- Never shout at anybody.\n"
    )
    stable = {row.step: row for row in list_templates(tmp_path, texts)}["say"]
    assert stable.stable > before.stable
    # What is stable and what is not are told apart after their sum was rounded.
    assert abs(stable.volatile - before.volatile) <= 1
    texts["say.jinja"] = texts["say.jinja"].replace(
        "REMEMBER:\n", "REMEMBER OF THIS, and that is all:\n"
    )
    both = {row.step: row for row in list_templates(tmp_path, texts)}["say"]
    assert both.stable == stable.stable and both.volatile > stable.volatile
    assert before.version != stable.version != both.version


def test_shares_are_those_of_the_runs_with_this_very_template(
    runs: Path, moments: list[Moment]
) -> None:
    for row in list_templates(runs):
        mine = [moment.outcome for moment in moments if moment.step == row.step]
        assert row.uses == len(mine)
        assert dict(row.outcomes) == {each: mine.count(each) for each in OUTCOMES}
        assert row.runs == bool(mine)


def test_a_template_that_no_run_has_asked_with_has_no_shares(
    runs: Path, texts: dict[str, str]
) -> None:
    texts["plan_day.jinja"] = texts["plan_day.jinja"].replace("Rules:", "The rules:")
    rows = {row.step: row for row in list_templates(runs, texts)}
    assert rows["plan_day"].share("clean") is None
    assert rows["plan_hours"].share("clean") is not None


def test_a_run_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text("{")
    assert all(row.runs == 0 for row in list_templates(tmp_path))


@pytest.mark.parametrize("step", STEPS, ids=NAMES)
def test_a_template_is_shown_with_both_its_contracts(step: AnyStep) -> None:
    shown = show_step(step)
    assert shown.files[f"{step.name}.jinja"] == shipped_texts()[f"{step.name}.jinja"]
    assert set(shown.formatters) == step.prompt.facts.formatters
    assert all(text.startswith("{% macro ") for text in shown.formatters.values())
    assert {field.name for field in shown.variables} == set(step.inputs.model_fields)
    assert ("PersonaInput" in shown.cards) == (step not in ENTITY)
    assert shown.instructions in step.prompt.render(OTHER_SAMPLES[step.name])[0].text
    assert shown.fields[0].path in step.answer.model_fields
    assert shown.fallback
    assert json.loads(json.dumps(shown.plain()))["messages"]


def test_types_and_meanings_are_in_words() -> None:
    shown = {field.name: field for field in show_step(STEPS[NAMES.index("say")]).variables}
    assert shown["memories"].type == "tuple[TalkMemory, ...]"
    assert shown["memories"].meaning == (
        "Memories that came to mind at the last line, and others about these people and the topic."
    )
    rules = {field.path: field for field in show_step(STEPS[NAMES.index("decompose")]).fields}
    assert rules["subtasks"].rule == "a list of 1 to 12 objects"
    assert rules["subtasks[].minutes"].rule == "a whole number from 1 to 60"


@pytest.mark.parametrize("step", STEPS, ids=NAMES)
def test_what_a_model_can_be_told_is_what_the_reader_says(step: AnyStep) -> None:
    faults = faults_of(step)
    kinds = {fault.kind for fault in faults}
    assert kinds >= {"no_json", "cut", "missing"} and kinds <= set(KINDS)
    assert kinds & {"type", "choice"}
    named = {fault.field.split(".")[0].split("[")[0] for fault in faults if fault.field}
    fields = step.answer.model_fields
    assert named <= set(fields)
    assert named >= {name for name, field in fields.items() if field.is_required()}
    assert named
    assert all(fault.sentence.endswith(".") for fault in faults)


def test_what_only_some_steps_mind_is_told_of_them() -> None:
    kinds = {step.name: {fault.kind for fault in faults_of(step)} for step in STEPS}
    assert "range" in kinds["decompose"] and "choice" in kinds["plan_day"]
    assert "choice" in kinds["choose_place"] and "range" in kinds["rate_importance"]


def test_everything_is_copied_and_can_be_asked_with(tmp_path: Path) -> None:
    done = eject(tmp_path / "mine", [])
    assert set(done.written) == set(shipped_texts())
    assert check_templates(read_overlaid_texts(tmp_path / "mine")).texts == shipped_texts()


def test_a_step_is_copied_with_what_it_includes(tmp_path: Path) -> None:
    assert eject(tmp_path, ["say"]).written == ("say.jinja", "_who.jinja")
    assert eject(tmp_path, ["repair", "_macros"]).written == ("repair.jinja", "_macros.jinja")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("_macros.jinja", "_who.jinja", "repair.jinja", "say.jinja"),
    ]


def test_an_edited_file_stays_unless_it_may_be_overwritten(tmp_path: Path) -> None:
    eject(tmp_path, ["say"])
    (tmp_path / "say.jinja").write_text("mine")
    done = eject(tmp_path, ["say"])
    assert (done.written, done.kept, done.same) == ((), ("say.jinja",), ("_who.jinja",))
    assert (tmp_path / "say.jinja").read_text() == "mine"
    assert eject(tmp_path, ["say"], overwrite=True).written == ("say.jinja",)
    assert (tmp_path / "say.jinja").read_text() == shipped_texts()["say.jinja"]


def test_an_unknown_step_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"no step 'sya' \(did you mean `say`\?\)"):
        eject(tmp_path / "mine", ["react", "sya"])
    assert not (tmp_path / "mine").exists()


def test_the_shipped_templates_are_not_written_over() -> None:
    with pytest.raises(SettingError, match="is where the shipped templates are"):
        eject(FOLDER, [], overwrite=True)
