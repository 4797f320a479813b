"""A folder is examined as a whole; an error is what a run would refuse."""

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


def test_a_template_that_has_no_room_is_an_error_and_a_tight_one_a_warning(tmp_path: Path) -> None:
    _folder(tmp_path, say=SHIPPED["say.jinja"])
    tight, least = lint_folder(tmp_path, 1250), lint_folder(tmp_path, 600)
    assert [(each.severity, each.kind) for each in tight.findings] == [("warning", "budget")]
    assert (
        "and the context has 1250: entries of its lists will be left out" in tight.findings[0].text
    )
    assert [(each.severity, each.kind) for each in least.findings] == [("error", "budget")]
    assert (least.errors, least.warnings) == (1, 0)


@pytest.mark.parametrize("name", ["nowhere", "germn"])
def test_a_folder_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(PromptFolderError, match="there is no folder of templates"):
        lint_folder(Path(name))


SPOILT = {
    "unknown": (VOICE, "{{ now }}", "{{ nwo }}"),
    "syntax": (VOICE, "{{ now }}", "{{ now"),
    "include": (VOICE, '"_who.jinja"', '"_you.jinja"'),
    "attribute": ("_who.jinja", "me.home", "me.hoem"),
    "call": (VOICE, "{{ now }}", "{{ now }}{{ memory_list() }}"),
    "formatter": ("_macros.jinja", "macro name_list", "macro names_list"),
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
