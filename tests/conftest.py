"""What holds for all tests: their order, their own configuration, and Hypothesis' examples.

What takes longest is run first: a worker takes whole files, and one that were given a long file
last would be left alone with it. Examples are the same on every machine and in every run, and no
clock decides about them.
"""

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "town",
    max_examples=50,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("town")

TESTS = Path(__file__).parent
BYTECODE = TESTS.parent / ".pytest_cache" / "bytecode"
if sys.dont_write_bytecode:
    # Where none may lie beside its source, each of the many processes would compile everything.
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
MEMORY, ROOM = Path("/dev/shm"), 6 << 30
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    # What a disk makes durable is of no use to a test, and each test waits for it.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
LONGEST = ("whole", "test_readme.py", "viewer", "lab", "cli", "world", "benchmarks", "models")


@pytest.fixture(scope="session", autouse=True)
def own_config(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the program remembers for its user lies apart from what it remembers for ours."""
    with pytest.MonkeyPatch.context() as patch:
        # Whatever started the workers may have set the width of its own terminal.
        patch.delenv("COLUMNS", raising=False)
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all workers have in common."""
    base = tmp_path_factory.getbasetemp()
    return base if worker_id == "master" else base.parent


def pytest_xdist_auto_num_workers() -> int:
    """Return two workers for each processor: half of the time a test waits, for what it started."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of the slow rooms first; within a room they keep their order."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    room = item.path.relative_to(TESTS).parts[0]
    return LONGEST.index(room) if room in LONGEST else len(LONGEST)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from what all tests share, and let it come less often.

    By its own rule it goes through everything after each 700 new objects, a tenth of the time.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
