"""The recorded day that comes with the program: a packed run, read under the name `sample`.

The archive holds `run.json`, the history and the town it was lived in, so that the recording can be
opened whatever becomes of the shipped town. It is unpacked into a temporary folder that goes with
the process: nothing is ever written beside the program.
"""

import atexit
import shutil
import tempfile
import zipfile
from importlib.resources import files
from pathlib import Path
from threading import Lock

from agents.errors import RunError

SAMPLE = "sample"
"""The name under which it is read; a run of one's own of that name comes first."""
TOWN = "town"
"""The folder within a run's folder that holds the town it was lived in, where it brings its own."""

_lock = Lock()
_unpacked: list[Path] = []


def packed_sample() -> Path:
    """Return the archive."""
    return Path(str(files("towns"))) / f"{SAMPLE}.zip"


def sample_folder() -> Path:
    """Return the run's folder, unpacked once per process; RunError where that fails."""
    with _lock:
        if not _unpacked:
            _unpacked.append(_unpack())
        return _unpacked[0]


def is_sample(folder: Path) -> bool:
    """True for the folder of the unpacked recording."""
    return folder in _unpacked


def refuse_sample(folder: Path) -> None:
    """Raise RunError when a run that somebody wants to change is the recording."""
    if is_sample(folder):
        raise RunError(
            f"{SAMPLE!r} is the recorded day that comes with Smolville and can only be looked at; "
            "for a run of your own that begins like it: "
            f'smolville fork {SAMPLE} mine --at "1 12:00"'
        )


def _unpack() -> Path:
    """Return the folder of a fresh copy, removed when the process ends."""
    try:
        runs = Path(tempfile.mkdtemp(prefix="smolville-"))
        atexit.register(shutil.rmtree, runs, ignore_errors=True)
        with zipfile.ZipFile(packed_sample()) as archive:
            archive.extractall(runs / SAMPLE)
    except (OSError, zipfile.BadZipFile) as error:
        raise RunError(
            f"the recorded day {packed_sample()} cannot be unpacked: {error}; free some space in "
            f"{tempfile.gettempdir()}, or install smolville again"
        ) from error
    return runs / SAMPLE
