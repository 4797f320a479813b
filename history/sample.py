"""The recordings that come with the program: packed runs that are read under their names.

Each archive holds `run.json`, the history and the town of its run, so that the recording can be
opened even if the shipped town changes. It is unpacked into a temporary folder that is removed when
the process ends: nothing is ever written beside the program. Who gave the answers is said by the
run's own header.
"""

import atexit
import shutil
import tempfile
import zipfile
from importlib.resources import files
from pathlib import Path
from threading import Lock

from smolville.agents.errors import RunError

SAMPLE = "sample"
"""The recording that stands for a model that can write."""
SMALL_SAMPLE = "sample-small"
"""The recording of a small model."""
SAMPLES = (SAMPLE, SMALL_SAMPLE)
"""The recordings' names; a run of the user with such a name takes precedence."""
TOWN = "town"
"""Name of the folder, inside a run's folder, of the town that the run brings with it, if any."""

_lock = Lock()
_unpacked: dict[str, Path] = {}


def packed_sample(name: str) -> Path:
    """Return the path of a recording's archive."""
    return Path(str(files("smolville.towns"))) / f"{name}.zip"


def sample_folder(name: str) -> Path:
    """Return a recording's folder, unpacked once per process; RunError if that fails."""
    with _lock:
        if name not in _unpacked:
            _unpacked[name] = _unpack(name)
        return _unpacked[name]


def is_sample(folder: Path) -> bool:
    """Return whether a folder is an unpacked recording."""
    return _unpacked.get(folder.name) == folder


def refuse_sample(folder: Path) -> None:
    """Raise RunError if a run that is about to be changed is a recording."""
    if is_sample(folder):
        raise RunError(
            f"{folder.name!r} is a recording that comes with Smolville and can only be viewed; "
            "for a run of your own that begins like it: "
            f'smolville fork {folder.name} mine --at "1 12:00"'
        )


def _unpack(name: str) -> Path:
    """Unpack a recording into a new folder, which is removed when the process ends."""
    try:
        runs = Path(tempfile.mkdtemp(prefix="smolville-"))
        atexit.register(shutil.rmtree, runs, ignore_errors=True)
        with zipfile.ZipFile(packed_sample(name)) as archive:
            archive.extractall(runs / name)
    except (OSError, zipfile.BadZipFile) as error:
        raise RunError(
            f"the recording {packed_sample(name)} cannot be unpacked: {error}; free some space in "
            f"{tempfile.gettempdir()}, or install smolville again"
        ) from error
    return runs / name
