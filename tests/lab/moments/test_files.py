"""A moments file holds everything, and says what is wrong with it."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from smolville.agents.errors import RunError, SmolvilleError
from smolville.lab.moments.files import read_moments, write_moments
from smolville.lab.moments.finding import find_moment
from smolville.lab.moments.moment import Moment


def everything(thing: Any) -> Any:
    """Return a moment with its parts as plain data, times and all."""
    if hasattr(thing, "__dataclass_fields__"):
        return {each.name: everything(getattr(thing, each.name)) for each in fields(thing)}
    if isinstance(thing, tuple):
        return tuple(everything(each) for each in thing)
    return dict(thing) if isinstance(thing, dict) else thing


@pytest.fixture
def file(moments: list[Moment], tmp_path: Path) -> Path:
    """A moments file of three moments."""
    path = tmp_path / "three.jsonl"
    assert write_moments(path, moments[:3]) == 3
    return path


def test_a_whole_run_is_read_back_as_it_was_written(moments: list[Moment], tmp_path: Path) -> None:
    path = tmp_path / "deep" / "all.jsonl"
    assert write_moments(path, iter(moments)) == len(moments)
    back = read_moments(path)
    assert [everything(each) for each in back] == [everything(each) for each in moments]
    assert [each.name for each in path.parent.iterdir()] == ["all.jsonl"]


def test_templates_are_written_once(moments: list[Moment], tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    write_moments(path, moments)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert lines[0] == {"smolville": "moments", "format": 1}
    assert sum("files" in line for line in lines) == 1
    assert lines[2]["id"] == moments[0].id


def test_moments_of_several_template_sets_keep_their_own(
    moments: list[Moment], tmp_path: Path
) -> None:
    edited = replace(moments[0], templates={**moments[0].templates, "say.jinja": "changed"})
    write_moments(tmp_path / "two.jsonl", [edited, moments[1]])
    back = read_moments(tmp_path / "two.jsonl")
    assert [each.templates for each in back] == [edited.templates, moments[1].templates]


@pytest.mark.parametrize("reply", ["half a letter \ud83d", "\x00\x1f\x7f\u2028\n\r", "ünï 🧼", ""])
def test_no_reply_is_too_strange(moments: list[Moment], tmp_path: Path, reply: str) -> None:
    attempt = moments[0].attempts[0]
    strange = replace(attempt, call=replace(attempt.call, reply=reply))
    moment = replace(moments[0], attempts=(strange,))
    write_moments(tmp_path / "strange.jsonl", [moment])
    assert read_moments(tmp_path / "strange.jsonl") == [moment]


def test_a_moment_of_a_file_is_found_by_its_digits(moments: list[Moment], file: Path) -> None:
    digits = moments[1].id.split("/")[1]
    assert find_moment(file.parent / "no runs", f"{file}#{digits[:6]}") == moments[1]
    wrong = digits[:-1] + ("0" if digits[-1] != "0" else "1")
    with pytest.raises(RunError, match=f"There is no moment '{wrong}' in"):
        find_moment(file.parent, f"{file}#{wrong}")


def damage(file: Path, number: int, line: str) -> None:
    """Put a line in place of another, counted from 1."""
    lines = file.read_text("utf-8").splitlines()
    lines[number - 1] = line
    file.write_text("\n".join(lines) + "\n", "utf-8")


def without(file: Path, key: str) -> str:
    """Return the file's first moment without a key."""
    told = json.loads(file.read_text("utf-8").splitlines()[2])
    del told[key]
    return json.dumps(told)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"id": "clumsy/0', "line 3 is damaged; `smolville export RUN"),
        ("[1, 2]", "line 3 is damaged"),
        ("[" * 100_000, "line 3 is damaged"),
        ("{}", "line 3 is damaged: its templates None are on no line above"),
        ("attempts", "line 3 is damaged: no 'attempts'"),
        ("seed", "line 3 is damaged: no 'seed'"),
    ],
)
def test_a_damaged_line_is_named(file: Path, line: str, why: str) -> None:
    damage(file, 3, line if not line.isalpha() else without(file, line))
    with pytest.raises(RunError) as error:
        read_moments(file)
    assert why in str(error.value)
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "holds no moments"),
        ("\n\n", "holds no moments"),
        ("\x80", "holds no moments"),
        ('{"prompt": []}\n', "holds no moments"),
        ('{"smolville": "moments", "format": 1}\n', "holds no moment"),
        ('{"smolville": "moments", "format": 9}\n', r"written by a later Smolville \(format 9"),
        ('{"smolville": "prices", "format": 1}\n', "holds no moments"),
    ],
)
def test_a_file_of_another_kind_is_told(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(RunError, match=why) as error:
        read_moments(path)
    assert error.value.exit_code == 2
    with pytest.raises(RunError, match="cannot be read: Is a directory"):
        read_moments(tmp_path)


def test_what_was_there_stays_when_writing_fails(moments: list[Moment], file: Path) -> None:
    def broken() -> Any:
        yield moments[4]
        raise SmolvilleError("the run went away")

    before = file.read_bytes()
    with pytest.raises(SmolvilleError):
        write_moments(file, broken())
    assert file.read_bytes() == before
    assert [each.name for each in file.parent.iterdir()] == [file.name]
