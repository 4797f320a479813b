"""Template sets: their names, their notes, and where they are found."""

from pathlib import Path

import pytest

from smolville.lab.prompting.sets import NOTE, SetNote, find_set, plain_set, read_note, write_note
from smolville.prompts.errors import PromptContractError, PromptFolderError
from smolville.prompts.folder import shipped_texts

SAY = shipped_texts()["say.jinja"]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder with one edited template."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "say.jinja").write_text(SAY.replace("Rules:", "The rules:"))
    return tmp_path / "mine"


@pytest.mark.parametrize("note", ["People gossip", '"quoted" \\ and\nbroken \x7f', "Grüße 🧼"])
def test_any_note_is_read_back(mine: Path, note: str) -> None:
    about = SetNote(note=note, parent="shipped", parent_version="01da2ef5")
    write_note(mine, about)
    assert read_note(mine) == about


def test_a_folder_keeps_its_parent_when_it_gets_a_new_note(mine: Path) -> None:
    write_note(mine, SetNote(note="first", parent="shipped", parent_version="1"))
    write_note(mine, SetNote(parent="other"))
    assert read_note(mine).told == "first · from shipped 1"
    write_note(mine, SetNote(note="second", parent="other"))
    assert read_note(mine).told == "second · from shipped 1"


def test_a_folder_is_a_set_with_its_note_and_a_version_of_all_texts(mine: Path) -> None:
    write_note(mine, SetNote(note="Shorter", parent="shipped"))
    found, shipped = find_set(str(mine), mine.parent), find_set("shipped", mine.parent)
    assert found.about.note == "Shorter" and plain_set(found.plain()) == found
    assert found.version != shipped.version
    (mine / "say.jinja").write_text(SAY)
    assert find_set(str(mine), mine.parent).version == shipped.version


def test_what_is_no_set_is_told(mine: Path) -> None:
    with pytest.raises(PromptFolderError, match="nor is it a run or the version of a set"):
        find_set("nowhere", mine.parent)
    (mine / NOTE).write_text("note = gossip")
    with pytest.raises(PromptFolderError, match=r"set.toml' is not TOML: "):
        find_set(str(mine), mine.parent)


def test_a_template_that_does_not_fit_is_told_with_its_folder(mine: Path) -> None:
    (mine / "say.jinja").write_text(SAY.replace("{{ format }}", "{{ format }}{{ moon }}"))
    with pytest.raises(PromptContractError, match=r"say.jinja, line \d+: `moon` does") as told:
        _ = find_set(str(mine), mine.parent).checked
    assert str(told.value).startswith(f"{mine}: ")
