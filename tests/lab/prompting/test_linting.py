"""A folder is examined as a whole; an error is what a run would refuse."""

import json
from pathlib import Path

import pytest

from smolville.graphs.catalogue import check_templates
from smolville.lab.prompting.linting import lint_folder
from smolville.prompts.errors import PromptError, PromptFolderError
from smolville.prompts.folder import read_overlaid_texts, shipped_overlays, shipped_texts

SHIPPED = shipped_texts()
VOICE = "heed_inner_voice.jinja"


def _folder(path: Path, **files: str) -> Path:
    for name, text in files.items():
        (path / f"{name}.jinja").write_text(text, encoding="utf-8")
    return path


def _said(path: Path, **files: str) -> list[str]:
    findings = lint_folder(_folder(path, **files)).findings
    return [f"{each.severity} {each.where}: {each.text}" for each in findings]


def test_nothing_is_wrong_with_the_shipped_templates() -> None:
    report = lint_folder(None)
    assert report.findings == ()
    assert report.files == len(SHIPPED)


@pytest.mark.parametrize("name", shipped_overlays())
def test_nothing_is_wrong_with_a_shipped_overlay(name: str) -> None:
    assert lint_folder(Path(name)).findings == ()


def test_a_wrong_attribute_shows_when_the_samples_are_rendered(tmp_path: Path) -> None:
    text = SHIPPED[VOICE].replace("{{ whisper }}", "{{ whisper }} {{ me.fist_name }}")
    (said,) = _said(tmp_path, heed_inner_voice=text)
    assert said.startswith(
        f"error {VOICE}, line 17: `PersonaInput` has no `fist_name` "
        "(did you mean `first_name`?); it has: "
    )


def test_a_gap_in_a_rendered_sample_is_told(tmp_path: Path) -> None:
    text = SHIPPED[VOICE].replace("It is {{ now }}.\n", "It is {{ now }}.\n\n\n")
    assert _said(tmp_path, heed_inner_voice=text) == [
        f"warning {VOICE}: the human message of a sample has two empty lines, one below the other"
    ]


def test_a_template_that_has_no_room_is_an_error_and_a_tight_one_a_warning(tmp_path: Path) -> None:
    _folder(tmp_path, say=SHIPPED["say.jinja"])
    tight, least = lint_folder(tmp_path, 1250), lint_folder(tmp_path, 600)
    assert [(each.severity, each.kind) for each in tight.findings] == [("warning", "budget")]
    assert (
        "and the context has 1250: entries of its lists will be left out" in tight.findings[0].text
    )
    assert [(each.severity, each.kind) for each in least.findings] == [("error", "budget")]
    assert (least.errors, least.warnings) == (1, 0)


def test_examples_are_held_to_the_answer_of_their_step(tmp_path: Path) -> None:
    _folder(tmp_path, say=SHIPPED["say.jinja"])
    (tmp_path / "examples").mkdir()
    cases = [
        {"case": "With Ben.", "answer": {"text": "Hello!", "ends": False}},
        {"case": "With Ben.", "answer": {"text": ""}},
        {"answer": {}},
    ]
    (tmp_path / "examples" / "say.json").write_text(json.dumps(cases))
    (tmp_path / "examples" / "sya.json").write_text("[]")
    (tmp_path / "examples" / "react.json").write_text("[\n{]")
    said = [(each.where, each.text) for each in lint_folder(tmp_path).findings]
    assert said == [
        ("examples/react.json, line 2", said[0][1]),
        (
            "examples/say.json",
            "case 2 is no answer of its step: `ends` is missing. Write either true or false.",
        ),
        (
            "examples/say.json",
            "case 2 is no answer of its step: `text`: got '', which is too short. "
            "Write 1 to 240 characters.",
        ),
        ("examples/say.json", "case 3 should have `case`, a text, and `answer`"),
        ("examples/sya.json", "there is no step `sya` (did you mean `say`?)"),
    ]
    assert said[0][1].startswith("it is no JSON: ")


def test_a_file_that_only_looks_like_a_template_is_told(tmp_path: Path) -> None:
    _folder(tmp_path, say=SHIPPED["say.jinja"])
    (tmp_path / "react.j2").write_text("x")
    assert _said(tmp_path) == [
        "warning react.j2: this is not read: templates are called <step>.jinja"
    ]


@pytest.mark.parametrize("name", ["nowhere", "germn"])
def test_a_folder_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(PromptFolderError, match="there is no folder of templates"):
        lint_folder(Path(name))


SPOILT = {
    "fine": (VOICE, "passing", "fleeting"),
    "unknown": (VOICE, "{{ now }}", "{{ nwo }}"),
    "not shown": (VOICE, "It is {{ now }}.\n", ""),
    "no format": (VOICE, "{{ format }}\n", ""),
    "syntax": (VOICE, "{{ now }}", "{{ now"),
    "deep": (VOICE, "{{ now }}", "{{ " + "[" * 2000 + " }}"),
    "include": (VOICE, '"_who.jinja"', '"_you.jinja"'),
    "attribute": ("_who.jinja", "me.home", "me.hoem"),
    "element": (VOICE, "{{ whisper }}", "{{ whisper[999] }}"),
    "division": (VOICE, "{{ now }}", "{{ now }}{{ 1 / 0 }}"),
    "call": (VOICE, "{{ now }}", "{{ now }}{{ memory_list() }}"),
    "block": (VOICE, "block human", "block user"),
    "outside": (VOICE, "{% block system %}", "Hello.\n{% block system %}"),
    "blanks": (VOICE, "Rules:", "Rules:  "),
    "late": (VOICE, "Rules:", "{{ now }}"),
    "itself": (VOICE, "Rules:", "{{ self.human() }}"),
    "formatter": ("_macros.jinja", "macro name_list", "macro names_list"),
    "formatters": ("_macros.jinja", "{% endmacro %}", "{% endmcro %}"),
    "repair": ("repair.jinja", "{{ problem }}", "{{ problem.text }}"),
    "examples": ("_examples.jinja", "example.answer", "example.anser"),
}


@pytest.mark.parametrize("case", SPOILT)
def test_an_error_is_what_would_be_refused(case: str, tmp_path: Path) -> None:
    file, old, new = SPOILT[case]
    assert old in SHIPPED[file]
    (tmp_path / file).write_text(SHIPPED[file].replace(old, new), encoding="utf-8")
    try:
        check_templates(read_overlaid_texts(tmp_path))
    except PromptError:
        is_refused = True
    else:
        is_refused = False
    report = lint_folder(tmp_path)
    assert bool(report.errors) == is_refused, report.findings


@pytest.mark.parametrize("name", ["sya", "_hat", "plan"])
def test_a_strange_file_is_an_error_and_refused(name: str, tmp_path: Path) -> None:
    folder = _folder(tmp_path, **{name: "{# x #}\n"})
    assert lint_folder(folder).errors
    with pytest.raises(PromptFolderError):
        check_templates(read_overlaid_texts(folder))
