"""`smolville prompt try`: the answers of now beside the stored one."""

import shutil
from pathlib import Path

import pytest

from smolville.lab.moments.moment import Moment
from tests.cli.conftest import Command
from tests.fixtures.clumsy import CLUMSY, clumsy, moments

__all__ = ["clumsy", "moments"]


@pytest.fixture
def smolville(clumsy: Path, tmp_path: Path) -> Command:
    """The command on runs with mistakes; only to be read."""
    return Command(clumsy, tmp_path)


@pytest.fixture
def wrong(moments: list[Moment]) -> Moment:
    """A moment whose first answer had to be repaired."""
    return next(moment for moment in moments if moment.outcome == "repaired")


def test_the_model_of_then_gives_the_stored_answer(smolville: Command, wrong: Moment) -> None:
    said = smolville("prompt", "try", wrong.id, "--model", CLUMSY, "--json")
    assert said.code == 0, said.err
    assert said.json["moment"]["id"] == wrong.id
    assert said.json["moment"]["answer"] == wrong.answer
    (variant,) = said.json["variants"]
    assert (variant["prompts"], variant["model"]) == ("its own", CLUMSY)
    (result,) = variant["results"]
    assert result["answer"] == wrong.answer
    assert result["reply"] == wrong.attempts[0].call.reply
    assert (result["first_valid"], result["valid"]) == (False, True)
    assert result["problems"]
    assert result["prompt_tokens"] > result["completion_tokens"] > 0
    assert result["milliseconds"] > 0


def test_a_moment_is_tried_so_often_on_every_model(smolville: Command, wrong: Moment) -> None:
    models = ("--model", "standin", "--model", "standin:mistakes=1", "--model", "standin")
    said = smolville("prompt", "try", wrong.id, *models, "-n", "3", "--json")
    assert said.code == 0, said.err
    assert [len(each["results"]) for each in said.json["variants"]] == [3, 3]
    assert [each["turn"] for each in said.json["variants"][1]["results"]] == [0, 1, 2]


def test_answers_stand_beside_each_other(smolville: Command, wrong: Moment) -> None:
    said = smolville(
        *("prompt", "try", wrong.id[: len("clumsy/") + 5]),
        *("--model", CLUMSY, "--model", "standin", "-n", "2"),
    )
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert lines[0].split(" · ") == [wrong.step, wrong.agent, wrong.time, wrong.id]
    assert lines[2].split() == ["stored", "its", "own"]
    assert "answers 1, 2 of 2" in said.out
    assert "accepted after 1 repair" in said.out
    assert "accepted at once: clean" in said.out
    assert "wrote first: " in said.out
    assert "tokens in, " in said.out


def test_an_edited_template_is_tried(smolville: Command, wrong: Moment, tmp_path: Path) -> None:
    from smolville.prompts.folder import FOLDER

    mine, file = tmp_path / "mine", f"{wrong.step}.jinja"
    mine.mkdir()
    shutil.copy(FOLDER / file, mine / file)
    text = (mine / file).read_text()
    (mine / file).write_text(text.replace("{{ format }}", "Check: nothing is cut.\n{{ format }}"))
    said = smolville(
        *("prompt", "try", wrong.id, "--model", "standin"),
        *("--prompts", str(mine), "--prompts", "shipped", "--json"),
    )
    assert said.code == 0, said.err
    one, other = said.json["variants"]
    assert (one["prompts"], other["prompts"]) == (str(mine), "shipped")
    assert one["results"][0]["prompt_tokens"] > other["results"][0]["prompt_tokens"]


def test_what_does_not_exist_is_one_sentence(smolville: Command, wrong: Moment) -> None:
    cases = [
        (("say",), "'say' names no moment"),
        (("clumsy/ffffffff",), "There is no moment 'ffffffff'"),
        ((wrong.id, "--prompts", "nowhere"), "no folder of templates"),
        ((wrong.id, "--model", "olama:x"), "olama"),
    ]
    for words, told in cases:
        said = smolville("prompt", "try", *words)
        assert said.code == 2, (words, said)
        assert said.out == ""
        assert told in said.err
        assert len(said.err.splitlines()) == 1
