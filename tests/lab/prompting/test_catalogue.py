"""What is listed, shown and copied out of templates is true of them."""

import json
from pathlib import Path

import pytest

from smolville.agents.errors import SettingError
from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS, check_templates
from smolville.lab.prompting.catalogue import eject, list_templates, show_step
from smolville.models.tokens import estimate_prompt
from smolville.prompts.folder import FOLDER, read_overlaid_texts, shipped_texts

NAMES = [step.name for step in STEPS]


def test_a_row_tells_a_templates_version_variables_and_size() -> None:
    rows = list_templates()
    assert [row.step for row in rows] == NAMES
    for step, row in zip(STEPS, rows, strict=True):
        assert row.version == step.prompt.version
        assert set(row.variables) == set(step.inputs.model_fields)
        messages = step.prompt.render(SAMPLES[step.name])
        assert row.tokens == estimate_prompt(messages)


def test_every_template_is_shown_with_its_contract() -> None:
    for step in STEPS:
        shown = show_step(step)
        assert shown.files[f"{step.name}.jinja"] == shipped_texts()[f"{step.name}.jinja"]
        assert {each.name for each in shown.inputs[step.inputs.__name__]} == {
            *step.inputs.model_fields
        }
        assert shown.instructions in step.prompt.render(OTHER_SAMPLES[step.name])[0].text
        assert shown.fallback
    said = show_step(STEPS[NAMES.index("say")])
    fields = {field.name: field for field in said.inputs["SayInput"]}
    assert fields["memories"].type == "tuple[TalkMemory, ...]"
    assert fields["memories"].meaning.startswith("Memories that came to mind at the last line")
    assert "first_name" in said.files["_who.jinja"] and "PersonaInput" in said.inputs
    assert json.loads(json.dumps(said.plain()))["inputs"]["TalkMemory"]


def test_everything_is_copied_and_can_be_asked_with(tmp_path: Path) -> None:
    written, kept = eject(tmp_path / "mine", [])
    assert (set(written), kept) == (set(shipped_texts()), [])
    assert check_templates(read_overlaid_texts(tmp_path / "mine")).texts == shipped_texts()


def test_a_step_is_copied_with_what_it_includes_and_an_edited_file_stays(tmp_path: Path) -> None:
    assert eject(tmp_path, ["say", "repair"])[0] == ["say.jinja", "_who.jinja", "repair.jinja"]
    (tmp_path / "say.jinja").write_text("mine")
    assert eject(tmp_path, ["say"]) == (["_who.jinja"], ["say.jinja"])
    assert (tmp_path / "say.jinja").read_text() == "mine"
    assert eject(tmp_path, ["say"], overwrite=True)[1] == []
    assert (tmp_path / "say.jinja").read_text() == shipped_texts()["say.jinja"]


def test_what_cannot_be_copied_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"no step 'sya' \(did you mean `say`\?\)"):
        eject(tmp_path, ["sya"])
    with pytest.raises(SettingError, match="where the shipped templates are"):
        eject(FOLDER, ["say"])
