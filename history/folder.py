"""A run's folder: its name, its files, and the lock of the process that owns it.

One process owns a run; all others only read it. The folder may come from anybody: nothing in it is
opened but plain files.

The recordings that come with the program are packed runs, each with `run.json`, the history and the
town, so that it can be opened even if the shipped town changes. They are unpacked into a temporary
folder that is removed when the process ends: nothing is ever written beside the program.
"""

import atexit
import errno
import fcntl
import os
import re
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from smolville.agents.chance import pick
from smolville.agents.errors import RunError
from smolville.history.spec import LARGEST, SPEC_FILE, RunSpec, read_spec
from smolville.history.trouble import explain_storage_errors

LOCK = "lock"
HISTORY = "town.sqlite"
INBOX = "inbox.sqlite"
ROUTINES = "routines.json"
_OWNER = 32
"""Maximum length of what is read of a lock file, which holds the number of a process."""
MOST_OF_TOWN = 64_000_000
"""Maximum size, in bytes, of a file of a town that a run brings with it."""

NAME = re.compile(r"\w[\w.-]*")
LONGEST = 100
"""Maximum length of a name, in characters."""
MOST_BYTES = 240
"""Maximum length of a name in bytes; file systems allow 255, and a letter may take four."""

_FIRST = (
    "amber", "ashen", "brave", "bright", "brisk", "calm", "clever", "copper", "coral", "cosy",
    "crisp", "dapper", "dusky", "early", "fair", "fond", "gentle", "golden", "hazel", "honest",
    "ivory", "jolly", "keen", "kind", "lively", "lucky", "mellow", "merry", "misty", "mossy",
    "neat", "noble", "olive", "patient", "plucky", "quiet", "rosy", "rustic", "sandy", "silver",
    "snowy", "steady", "sunny", "swift", "tidy", "velvet", "warm", "witty",
)  # fmt: skip
_SECOND = (
    "badger", "beaver", "bison", "bobcat", "crane", "curlew", "deer", "dove", "falcon", "ferret",
    "finch", "fox", "gecko", "goose", "hare", "heron", "ibis", "jackdaw", "kestrel", "lark",
    "lemur", "linnet", "lynx", "magpie", "marten", "mole", "newt", "otter", "owl", "panda",
    "plover", "puffin", "quail", "rabbit", "raven", "robin", "seal", "sparrow", "squirrel",
    "stoat", "swallow", "swan", "thrush", "toad", "vole", "weasel", "wombat", "wren",
)  # fmt: skip


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


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One run on disk: `runs/<name>/` with its spec."""

    path: Path
    spec: RunSpec

    @classmethod
    def open(cls, runs_dir: Path, name: str) -> "RunFolder":
        """Open a run by its name; RunError says what is wrong, and which runs there are.

        The name of a recording that comes with the program opens it, unless a run has that name.
        """
        path = runs_dir / check_name(name)
        if name in SAMPLES and not os.path.lexists(path):
            path = sample_folder(name)
        foreign = _find_foreign(path)
        if foreign:
            raise RunError(f"run {name!r} is not opened: {foreign}")
        try:
            text = read_file(path / SPEC_FILE, LARGEST + 1)
        except OSError as error:
            if os.path.lexists(path / SPEC_FILE):
                raise RunError(
                    f"{SPEC_FILE} of run {name!r} is damaged: it cannot be read ({error.strerror})"
                ) from error
            known = ", ".join(list_runs(runs_dir)) or "none"
            raise RunError(f"there is no run {name!r} in {runs_dir}; there: {known}") from None
        return cls(path, read_spec(text, name))

    @property
    def name(self) -> str:
        """The run's name."""
        return self.spec.name

    @property
    def history_path(self) -> Path:
        """Path of the history, a SQLite database."""
        return self.path / HISTORY

    @property
    def has_history(self) -> bool:
        """Whether there is anything at the history's path, even if it is damaged."""
        return os.path.lexists(self.history_path)

    @property
    def inbox_path(self) -> Path:
        """Path of the inbox with operators' requests and interviews, a SQLite database."""
        return self.path / INBOX

    @property
    def memories_path(self) -> Path:
        """Path of Chroma's folder."""
        return self.path / "memories"

    @property
    def routines_path(self) -> Path:
        """Path of the routines with which the run began, if it was begun with any."""
        return self.path / ROUTINES

    @property
    def town_path(self) -> Path:
        """Path of the town's folder, in a run that brings its own town."""
        return self.path / TOWN

    @property
    def is_sample(self) -> bool:
        """Whether this is a recording that comes with the program."""
        return _unpacked.get(self.path.name) == self.path

    def check_own(self) -> None:
        """Raise RunError if this is a recording, which may not be changed."""
        if self.is_sample:
            raise RunError(
                f"{self.name!r} is a recording that comes with Smolville and can only be viewed; "
                "for a run of your own that begins like it: "
                f'smolville fork {self.name} mine --at "1 12:00"'
            )

    def lock(self) -> AbstractContextManager[None]:
        """Own the run while the block runs; RunError names the process that owns it already."""
        self.check_own()
        return hold_lock(self.path / LOCK, self.name)


def open_file(path: Path) -> BinaryIO:
    """Open a plain file to read; OSError for a link, a named pipe, a device, a folder."""
    return open(path, "rb", opener=_open_plain)


def _open_plain(path: str | Path, flags: int) -> int:
    # A named pipe would be waited for without O_NONBLOCK.
    handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is no regular file", path)
    return handle


def read_file(path: Path, most: int) -> bytes:
    """Return at most the first `most` bytes of a plain file."""
    with open_file(path) as file:
        return file.read(most)


def _find_foreign(folder: Path) -> str:
    """Return which part of a run's folder is no plain file or folder, or too big; "" for none.

    Through a link, the person who made the folder could have other files of this machine read or
    written; a named pipe never ends.
    """
    for place, folders, names in os.walk(folder):
        for name in sorted((*folders, *names)):
            path = Path(place) / name
            with suppress(FileNotFoundError):
                status = path.lstat()
                told = f"{path.relative_to(folder)} in its folder is"
                if stat.S_ISLNK(status.st_mode):
                    return (
                        f"{told} a link, which may lead to any file; remove it, or put in its "
                        "place what it leads to"
                    )
                if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
                    return f"{told} neither a file nor a folder; remove it"
                if folder / TOWN in path.parents and status.st_size > MOST_OF_TOWN:
                    return f"{told} larger than {MOST_OF_TOWN // 1_000_000} MB; remove it"
    return ""


def list_runs(runs_dir: Path) -> list[str]:
    """Return the names of the runs in a folder, latest first."""
    specs = (folder / SPEC_FILE for folder in sorted(runs_dir.glob("[!.]*")))
    found = [spec for spec in specs if os.path.lexists(spec)]
    found.sort(key=_changed_at, reverse=True)
    return [spec.parent.name for spec in found]


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@contextmanager
def hold_lock(path: Path, run: str) -> Iterator[None]:
    """Hold the lock file at `path` while the block runs; RunError if another process holds it.

    The operating system releases the lock when the process ends, however it ends.
    """
    try:
        handle = _open_plain(path, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise RunError(
            f"the lock of run {run!r} cannot be opened ({error.strerror}); {path} must be a file "
            "that may be written: move away what lies there, or let its folder be written"
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(_format_lock_holder(handle, run)) from None
        with explain_storage_errors(run):
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _format_lock_holder(handle: int, run: str) -> str:
    owner = os.read(handle, _OWNER).decode("ascii", "replace").strip()
    who = f"process {owner}" if owner else "another process"
    return (
        f"run {run!r} is in use by {who}; wait until it has ended, stop it, or fork the run "
        "under another name"
    )


def owner_of(folder: RunFolder) -> str | None:
    """Return the id of the process that owns a run, as text; None when no process does.

    A killed owner leaves its process id in the lock file, but no lock.
    """
    try:
        with open_file(folder.path / LOCK) as file:
            process = file.read(_OWNER).decode("ascii", "replace").strip()
            if process:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return process
    except OSError:
        return None
    return None


def check_name(name: str) -> str:
    """Return `name` if it is a valid name for a run, else raise RunError.

    A valid name never leads out of the folder of runs, as `../x` would.
    """
    if len(name) > LONGEST or len(name.encode(errors="replace")) > MOST_BYTES:
        raise RunError(
            f"{name[:20] + '...'!r} cannot name a run: it is too long; use at most {LONGEST} "
            "characters, fewer where they are not plain letters and digits"
        )
    if NAME.fullmatch(name) is None:
        raise RunError(
            f"{name!r} cannot name a run: use letters, digits, `_`, `.` and `-`, "
            "beginning with a letter or digit"
        )
    return name


def make_name(seed_text: str, taken: Collection[str] = ()) -> str:
    """Return a readable name such as `amber-otter` that is not taken, chosen by `seed_text`."""
    name = f"{pick(_FIRST, seed_text, 'first')}-{pick(_SECOND, seed_text, 'second')}"
    number = 2
    free = name
    while free in taken:
        free = f"{name}-{number}"
        number += 1
    return free


def packed_sample(name: str) -> Path:
    """Return the path of a recording's archive."""
    return Path(str(files("smolville.towns"))) / f"{name}.zip"


def sample_folder(name: str) -> Path:
    """Return a recording's folder, unpacked once per process; RunError if that fails."""
    with _lock:
        if name not in _unpacked:
            _unpacked[name] = _unpack(name)
        return _unpacked[name]


def _unpack(name: str) -> Path:
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
