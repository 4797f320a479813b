"""`smolville export`: a page, datasets in every format, and what is said of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smolville.lab.moments.files import read_moments
from smolville.lab.moments.finding import find_moment, moments_from
from tests.cli.conftest import Command
from tests.fixtures.langsmith_server import Receiver, serve_langsmith


@pytest.fixture
def smith(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """LangSmith, for which the surroundings have a key."""
    with serve_langsmith() as smith:
        monkeypatch.setenv("LANGSMITH_API_KEY", smith.key)
        monkeypatch.setenv("LANGSMITH_ENDPOINT", smith.url)
        yield smith


def ended(command: Command) -> dict[str, int]:
    """How many steps of the run ended in each way."""
    told: dict[str, int] = command("health", "amber", "--json").json["total"]
    return told


def test_a_moments_file_has_every_moment(clumsy: Command) -> None:
    said = clumsy("export", "amber", "--format", "jsonl")
    count = ended(clumsy)["steps_taken"]
    assert said.out == f"{count} moments written to amber-moments.jsonl.\n"
    found = read_moments(Path("amber-moments.jsonl"))
    assert [each.id for each in found] == [
        each["id"] for each in clumsy("moments", "amber", "--json").json
    ]


def test_some_moments_only(clumsy: Command) -> None:
    steps = clumsy("moments", "amber", "--outcome", "mended", "--json").json
    words = ("--step", steps[0]["step"], "--outcome", "mended", "--agent", steps[0]["agent"])
    said = clumsy("export", "amber", "here/some.jsonl", "--format", "jsonl", *words)
    assert said.code == 0
    assert moments_from("here/some.jsonl", clumsy.runs) == [
        find_moment(clumsy.runs, each["id"])
        for each in clumsy("moments", "amber", *words, "--json").json
    ]


def test_a_file_that_exists_is_replaced_only_when_asked(clumsy: Command) -> None:
    Path("mine.txt").write_text("dear diary", "utf-8")
    said = clumsy("export", "amber", "mine.txt", "--format", "jsonl")
    assert said.code == 2
    assert said.err.startswith("'mine.txt' exists; add --overwrite, or name another")
    assert Path("mine.txt").read_text("utf-8") == "dear diary"
    said = clumsy("export", "amber", "mine.txt", "--format", "jsonl", "--overwrite")
    assert said.code == 0
    assert read_moments(Path("mine.txt"))


def test_a_dataset_is_made_in_langsmith(clumsy: Command, smith: Receiver) -> None:
    words = ("export", "amber", "--format", "langsmith")
    said = clumsy(*words, "--outcome", "repaired")
    count = ended(clumsy)["repaired"]
    assert said.out == (f"{count} moments written to the dataset 'smolville-amber' in LangSmith.\n")
    assert len(smith.examples("smolville-amber")) == count
    said = clumsy(*words, "--outcome", "clean")
    assert said.code == 2
    assert said.err.startswith("LangSmith has a dataset 'smolville-amber' already;")
    assert clumsy(*words, "mine", "--outcome", "repaired").code == 0
    assert list(smith.datasets) == ["smolville-amber", "mine"]
    assert clumsy(*words, "mine", "--outcome", "clean", "--overwrite").code == 0
    assert len(smith.examples("mine")) == ended(clumsy)["clean"]


def test_nothing_to_write_leaves_nothing(clumsy: Command, smith: Receiver) -> None:
    for kind in ("jsonl", "langsmith"):
        words = ("--format", kind, "--step", "answer_interview")
        said = clumsy("export", "amber", *words)
        assert said.code == 1
        assert said.err == "Nothing to write: the run has no moments like this.\n"
    assert not list(Path().iterdir())
    assert not smith.datasets


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((".", "--format", "jsonl"), "'.' is a folder; name a file."),
        (("--format", "jsonl", "--outcome", "good"), "No step ends 'good'; did you mean"),
        (("--step", "say"), "--format html takes the whole run"),
        (("--format", "csv"), "Invalid value for '--format': 'csv'"),
    ],
)
def test_a_wrong_use_is_one_sentence(
    clumsy: Command, words: tuple[str, ...], sentence: str
) -> None:
    said = clumsy("export", "amber", *words)
    assert said.code == 2
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1
    assert not list(Path().iterdir())


def test_a_run_is_written_as_one_page(morning: Command) -> None:
    said = morning("export", "amber", "town.html")
    size = Path("town.html").stat().st_size
    assert said.out == f"Written to town.html: 3 people up to 1 13:00, {size / 1e6:.1f} MB.\n"
    assert (said.code, said.err) == (0, "")
    text = Path("town.html").read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "<title>amber · Smalltown</title>" in text
    told = morning("export", "amber", "here/again.html", "--json").json
    assert told == {
        "where": "here/again.html",
        "bytes": size,
        "people": 3,
        "until": "1 13:00",
        "faults": [],
    }
    assert Path("here/again.html").read_bytes() == Path("town.html").read_bytes()
