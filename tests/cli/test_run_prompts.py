"""`--prompts DIR`: a run begins with a folder of templates, and goes on with it."""

import json
from pathlib import Path

import pytest

from smolville.history.folder import RunFolder
from smolville.prompts.folder import shipped_texts
from tests.cli.conftest import Command
from tests.cli.own_templates import FILE, STEP, edits, log, shown, text


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / FILE).write_text(text())
    return folder


def test_a_run_begins_with_a_folder_over_the_shipped_ones(smolville: Command, mine: Path) -> None:
    said = smolville.live("amber", "--for", "9h", "--prompts", str(mine))
    assert said.code == 0, said.err
    assert f"prompt {mine} over the shipped ones ({FILE})" in said.err
    ((version, has_mark),) = shown(smolville.runs, "amber")
    assert has_mark
    assert RunFolder.open(smolville.runs, "amber").spec.prompts[STEP] == version
    assert edits(smolville.runs, "amber") == []


def test_a_run_goes_on_with_its_own_templates_when_the_folder_is_gone(
    smolville: Command, mine: Path
) -> None:
    assert smolville.live("amber", "--for", "8h", "--quiet", "--prompts", str(mine)).code == 0
    (mine / FILE).unlink()
    assert smolville("run", "amber", "--resume", "--for", "2h", "--quiet").code == 0
    assert {has_mark for _, has_mark in shown(smolville.runs, "amber")} == {True}


def test_a_run_gone_on_with_takes_another_folder_from_the_next_tick_on(
    smolville: Command, mine: Path
) -> None:
    assert smolville.live("amber", "--for", "8h", "--quiet").code == 0
    said = smolville("run", "amber", "--resume", "--for", "2h", "--prompts", str(mine))
    assert said.code == 0, said.err
    ((tick, files),) = edits(smolville.runs, "amber")
    assert (tick, files) == (8 * 360, FILE)
    assert any(each[1] for each in shown(smolville.runs, "amber"))
    assert f"From 1 08:00 on: {FILE}." in said.err
    assert f"From 1 08:00 on: {FILE}." in log(smolville, "amber")
    again = smolville("run", "amber", "--resume", "--for", "10m", "--prompts", str(mine))
    assert "From 1" not in again.err
    assert len(edits(smolville.runs, "amber")) == 1
    back = smolville("run", "amber", "--resume", "--for", "10m", "--prompts", "shipped", "-q")
    assert back.code == 0
    assert back.err == ""
    assert len(edits(smolville.runs, "amber")) == 2


def test_a_folder_that_is_set_does_not_change_a_run_that_has_its_own(
    lived: Command, mine: Path
) -> None:
    Path("smolville.toml").write_text(f"prompts = {json.dumps(str(mine))}\n")
    said = lived("run", "amber", "--resume", "--for", "10m")
    assert said.code == 0, said.err
    note = "note   This run goes on with its own templates, not with those of prompts "
    assert f"{note}(smolville.toml); to change to them: --prompts {mine}" in said.err
    assert edits(lived.runs, "amber") == []
    (mine / FILE).write_text(shipped_texts()[FILE])
    again = lived("run", "amber", "--resume", "--for", "10m").err
    assert "its own templates" not in again


@pytest.mark.parametrize(
    ("name", "words", "told"),
    [
        (FILE, text("{{ wether }}"), f"{FILE}, line "),
        (FILE, text("{% if %}"), f"{FILE}, line "),
        (FILE, text("{{ me.weather }}"), f"{FILE}, line "),
        ("groundblock.jinja", text(), "did you mean `ground_block`"),
    ],
)
@pytest.mark.parametrize("is_new", [True, False])
def test_templates_that_do_not_fit_are_refused_before_anything_is_done(
    lived: Command, mine: Path, name: str, words: str, told: str, is_new: bool
) -> None:
    (mine / name).write_text(words)
    before = lived.digest("amber")
    prompts = ("--for", "1h", "--prompts", str(mine))
    said = lived.live("birch", *prompts) if is_new else lived("run", "amber", "--resume", *prompts)
    assert said.code == 2
    assert told in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert not (lived.runs / "birch").exists()
    assert lived.digest("amber") == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--prompts", "nowhere"), "There is no folder of templates 'nowhere', and no shipped one"),
        (("--prompts", "empty"), "The folder 'empty' holds no template"),
        (("--prompts", "mine", "--prompts", "empty"), "--prompts was given 2 times; only "),
    ],
)
def test_a_folder_that_cannot_be_is_a_sentence(
    lived: Command, mine: Path, words: tuple[str, ...], told: str
) -> None:
    Path("empty").mkdir(exist_ok=True)
    for named in (
        ("run", "birch", "--model", "standin"),
        ("doctor", "--try", "--model", "standin", "--steps", "say"),
        ("interview", "amber", "Ada", "How are you?"),
        ("doctor", "--model", "standin"),
    ):
        said = lived(*named, *words)
        assert said.code == 2, named
        assert said.err.startswith(told)
        assert len(said.err.strip().splitlines()) == 1


def test_where_a_folder_that_is_not_there_was_set_is_said(smolville: Command) -> None:
    Path("smolville.toml").write_text('prompts = "nowhere"\n')
    said = smolville.live("amber", "--for", "10m")
    assert said.code == 2
    assert "it is set by prompts (smolville.toml)" in said.err
    assert not smolville.runs.exists()


def test_an_interview_is_held_with_the_runs_own_templates_or_those_of_the_flag(
    smolville: Command, mine: Path
) -> None:
    name = "answer_interview.jinja"
    words = ("interview", "amber", "Ada", "How are you?", "--json")
    broken = shipped_texts()[name].replace("{{ format }}", "{{ format }}{{ nothing }}")
    assert smolville.live("amber", "--for", "8h", "--quiet").code == 0
    (mine / name).write_text(broken)
    said = smolville(*words, "--prompts", str(mine))
    assert said.code == 2
    assert "`nothing`" in said.err
    (mine / name).write_text(shipped_texts()[name])
    assert smolville(*words, "--prompts", str(mine)).json[0]["agent"] == "Ada Brook"
    assert smolville(*words).json[0]["agent"] == "Ada Brook"
