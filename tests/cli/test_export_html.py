"""`smolville export html`: what it says, and what it leaves alone."""

from pathlib import Path

from tests.cli.conftest import Command


def test_a_run_is_written_as_one_page(morning: Command) -> None:
    said = morning("export", "html", "amber", "town.html")
    size = Path("town.html").stat().st_size
    assert said.out == f"Written to town.html: 3 people up to 1 13:00, {size / 1e6:.1f} MB.\n"
    assert (said.code, said.err) == (0, "")
    text = Path("town.html").read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "<title>amber · Smalltown</title>" in text
    told = morning("export", "html", "amber", "here/again.html", "--json").json
    assert told == {
        "where": "here/again.html",
        "bytes": size,
        "people": 3,
        "until": "1 13:00",
        "faults": [],
    }
    assert Path("here/again.html").read_bytes() == Path("town.html").read_bytes()


def test_a_file_that_is_there_is_replaced_only_when_asked(morning: Command) -> None:
    Path("mine.html").write_text("dear diary", "utf-8")
    said = morning("export", "html", "amber", "mine.html")
    assert (said.code, said.out) == (2, "")
    assert said.err == "'mine.html' exists; add --overwrite, or name another file.\n"
    assert Path("mine.html").read_text("utf-8") == "dear diary"
    assert morning("export", "html", "amber", "mine.html", "--overwrite").code == 0
    assert Path("mine.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_what_cannot_be_is_one_sentence(morning: Command) -> None:
    Path("folder").mkdir()
    Path("file").write_text("", "utf-8")
    refused = {
        ("amber", "folder"): "'folder' is a folder; name a file.\n",
        ("amber", "file/x.html"): "'file/x.html' cannot be written: ",
        ("nobody", "x.html"): "There is no run 'nobody' in ",
        ("../amber", "x.html"): "'../amber' cannot name a run: ",
    }
    for words, sentence in refused.items():
        said = morning("export", "html", *words)
        assert (said.code != 0, said.out) == (True, "")
        assert said.err.startswith(sentence), said.err
        assert said.err.count("\n") == 1
    assert sorted(path.name for path in Path().iterdir()) == ["file", "folder"]
