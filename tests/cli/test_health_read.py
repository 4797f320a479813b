"""`smolville health RUN --read-by`: a reader's share is told, or why it is not; nothing is lost."""

import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from smolville.cli.prompt.again import ModelOptions
from smolville.history.folder import HISTORY, RunFolder
from smolville.history.reader import RunReader
from smolville.lab.judging.reading import Item, labelled_items, run_items
from smolville.models.errors import ModelError
from tests.cli.conftest import Command
from tests.fixtures.scripted import Scripted, chat_of
from tests.lab.judging.test_reading import perfect, scripted

SPEC = "openai:http://127.0.0.1:9/v1#reader"
WORDS = ("health", "amber", "--read-by", SPEC, "--sample", "12")


def items_of(command: Command) -> tuple[Item, ...]:
    """All that a reader of a dozen answers of the run is shown."""
    with RunReader(RunFolder.open(command.runs, "amber")) as reader:
        return (*labelled_items(), *run_items(reader, 12))


def answer_with(monkeypatch: pytest.MonkeyPatch, model: Scripted) -> None:
    """Let a scripted model be the reader."""
    monkeypatch.setattr(ModelOptions, "open_chats", lambda *_: [chat_of(model)])


def files(folder: Path) -> dict[str, bytes]:
    """What a run's files hold."""
    return {each.name: each.read_bytes() for each in folder.glob("*") if each.is_file()}


def test_a_good_readers_share_stands_beside_that_of_dice(
    lived: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    items, before = items_of(lived), files(lived.runs / "amber")
    model = scripted(items, perfect)
    answer_with(monkeypatch, model)
    said = lived(*WORDS)
    assert said.code == 0, said.err
    assert "balanced accuracy 100 % (" in said.out
    assert "of those of dice 0 of 40" in " ".join(said.out.split())
    asked = len(model.asked)
    told = lived(*WORDS, "--json").json
    assert len(model.asked) == asked == len(items)
    assert told["run"]["answers"] == 12
    for each in told["run"]["senseless"]:
        assert lived("trace", "amber", each["thought"]).code == 0
        assert each["thought"] in said.out
    assert files(lived.runs / "amber") == before
    assert lived("runs", "--json").json[0]["name"] == "amber"


def test_of_a_bad_reader_one_sentence_says_why_there_is_no_share(
    lived: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(monkeypatch, scripted(items_of(lived), lambda _: "sensible"))
    said = lived(*WORDS)
    assert said.code == 0
    assert "That is too little: at least 75 % are needed" in " ".join(said.out.split())
    assert "dice" not in said.out.partition("That is too little")[2]
    assert lived(*WORDS, "--json").json["run"] is None


@pytest.mark.parametrize(("error", "code"), [(ModelError("it is gone"), 1), (None, 130)])
def test_readings_made_before_an_end_are_kept(
    lived: Command, monkeypatch: pytest.MonkeyPatch, error: ModelError | None, code: int
) -> None:
    items, calls = items_of(lived), count()

    def leaving(item: Item) -> Any:
        if next(calls) < 30:
            return "odd"
        if error is None:
            raise KeyboardInterrupt
        return error

    answer_with(monkeypatch, scripted(items, leaving))
    said = lived(*WORDS)
    assert said.code == code
    assert f"of {len(items)} verdicts are kept" in said.err
    model = scripted(items, perfect)
    answer_with(monkeypatch, model)
    assert lived(*WORDS).code == 0
    assert len(items) - 32 <= len(model.asked) <= len(items) - 25


def test_what_cannot_be_read_is_one_sentence(lived: Command) -> None:
    said = lived(*WORDS)
    assert said.code != 0 and "Traceback" not in said.err
    assert len(said.err.splitlines()) <= 3
    said = lived("health", "amber", "--sample", "9")
    assert said.code == 2 and "name a reader" in said.err
    with closing(sqlite3.connect(lived.runs / "amber" / HISTORY)) as connection, connection:
        connection.execute("DELETE FROM steps")
    said = lived("health", "amber", "--read-by", "standin")
    assert (said.code, said.out) == (2, "")
    assert said.err == "The run 'amber' has no answer by a model yet.\n"
