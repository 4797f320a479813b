"""The recorded day that comes with the program: a packed run that is read under the name `sample`.

The archive holds `run.json`, the history and the town of the run, so that the recording can be
opened even if the shipped town changes. It is unpacked into a temporary folder that is removed when
the process ends: nothing is ever written beside the program.
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
"""The name of the recording; a run of the user with that name takes precedence."""
TOWN = "town"
"""Name of the folder, inside a run's folder, of the town that the run brings with it, if any."""

_lock = Lock()
_unpacked: list[Path] = []


def packed_sample() -> Path:
    """Return the path of the archive."""
    return Path(str(files("towns"))) / f"{SAMPLE}.zip"


def sample_folder() -> Path:
    """Return the recording's folder, unpacked once per process; RunError if that fails."""
    with _lock:
        if not _unpacked:
            _unpacked.append(_unpack())
        return _unpacked[0]


def is_sample(folder: Path) -> bool:
    """Return whether a folder is the unpacked recording."""
    return folder in _unpacked


def refuse_sample(folder: Path) -> None:
    """Raise RunError if a run that is about to be changed is the recording."""
    if is_sample(folder):
        raise RunError(
            f"{SAMPLE!r} is the recorded day that comes with Smolville and can only be viewed; "
            "for a run of your own that begins like it: "
            f'smolville fork {SAMPLE} mine --at "1 12:00"'
        )


def _unpack() -> Path:
    """Unpack the recording into a new folder, which is removed when the process ends."""
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
