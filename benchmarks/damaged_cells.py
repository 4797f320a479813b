"""Damages cells of a run at random, one at a time, and has every reading command and the page read.

    python -m benchmarks.damaged_cells [--cells N] [--seed N] [--bits N]

A command may do without the cell, or say in one sentence what is damaged. It must never end with a
traceback, run without end, or write into the run's folder.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from random import Random

from benchmarks.table import machine, print_figures
from smolville.agents.errors import SmolvilleError
from smolville.history.folder import RunFolder
from smolville.viewer.config import AppConfig
from tests.cli.conftest import SEED, Command
from tests.fixtures.damage import flip_bits, flip_cell, state_of
from tests.fixtures.small_town import write_small_town

Words = tuple[str, ...]
RUN, OTHER = "amber", "birch"
SHOWN = ("plan", "persona", "memories", "talks", "thoughts", "place", "social", "knowledge")
READING: tuple[Words, ...] = (
    ("runs",),
    ("show", RUN),
    *(("show", RUN, "Ada", what) for what in (*SHOWN, "goals", "needs", "interviews")),
    *(("show", RUN, what) for what in ("tree", "entities")),
    *((command, RUN) for command in ("timeline", "health", "moments")),
    ("compare", RUN, "--digest"),
    ("trace", RUN),
    ("trace", RUN, "latest", "--messages"),
    ("trace", RUN, "--otlp", "spans.json", "--overwrite"),
    ("recall", RUN, "Ada", "soup"),
    ("show", RUN, "routines"),
    *(("compare", *names) for names in ((RUN, OTHER), (OTHER, RUN))),
    ("export", RUN, "--format", "metrics", "metrics", "--overwrite"),
    ("export", RUN, "run.html", "--overwrite"),
    ("export", RUN, "--format", "jsonl", "moments.jsonl", "--overwrite"),
    ("compare", RUN),
    ("fork", RUN, "copy"),
)
"""Every command that reads a run."""
GO_ON = ("run", RUN, "--resume", "--for", "1h", "--quiet")
"""What reads and writes the run; what is wrong may only be told."""
PAGE = ("head.json", "tracks.json", "person/0.json", "person/1.json", "export.html")
PATIENCE = 30
"""CPU seconds after which a command counts as hanging."""


def prepare(smolville: Command) -> None:
    """Live a morning, and a fork of it to compare with."""
    words = ("--for", "13h", "--cast", "3", "--seed", SEED, "--quiet")
    for said in (smolville.live(RUN, *words), smolville("fork", RUN, OTHER)):
        assert said.code == 0, said.err


def find_faults(
    smolville: Command, damage: Callable[[Path], str], reading: Sequence[Words] = READING
) -> Iterator[str]:
    """Damage a run, read it, go on with it, and yield what should not have happened."""
    run = smolville.runs / RUN
    what = damage(run)
    before = _kept(run)
    for words in reading:
        yield from (f"{what}: {fault}" for fault in _faults_of(smolville, words))
        shutil.rmtree(smolville.runs / "copy", ignore_errors=True)
        if _kept(run) != before:
            yield f"{what}: {' '.join(words)}: written into the run"
    with _limited():
        yield from (f"{what}: page: {fault}" for fault in _faults_of_page(smolville.runs))
    yield from (f"{what}: {fault}" for fault in _faults_of(smolville, GO_ON))


def _faults_of(smolville: Command, words: Words) -> Iterator[str]:
    """Yield what is wrong with how a command ends, if anything is."""
    try:
        with _limited():
            said = smolville(*words)
    except Exception as error:  # noqa: BLE001 - any error at all is what is looked for
        yield f"{' '.join(words)}: {error!r}"[:300]
        return
    is_told = said.code == 0 or said.out or len(said.err.strip().splitlines()) == 1
    if said.code not in (0, 1, 2) or "Traceback" in said.err or not is_told:
        yield f"{' '.join(words)}: {said.code} {said.err[-200:]}"


def _faults_of_page(runs: Path) -> Iterator[str]:
    from fastapi import FastAPI
    from fastapi.testclient import TestClient

    from smolville.history.reader import RunReader
    from smolville.viewer.playback import routes
    from smolville.viewer.playback.live import RunPoller
    from smolville.viewer.playback.towns import Towns
    from smolville.viewer.why.thought_view import see_talk, see_thought

    app, towns = FastAPI(), Towns()
    routes.add(app, AppConfig(runs=runs, minds=lambda *_: NotImplemented))
    client = TestClient(app)
    folder = RunFolder.open(runs, RUN)
    read: dict[str, Callable[[], object]] = {
        part: lambda part=part: client.get(f"/replay/{RUN}/{part}").json  # type: ignore[misc]
        for part in PAGE
    }
    read["live"] = lambda: RunPoller(folder, towns, -1).look()
    try:
        with RunReader(folder) as reader:
            thoughts, talks = reader.thoughts(), reader.talks()
    except SmolvilleError:
        thoughts, talks = [], []
    for each in (*thoughts[:2], *thoughts[-2:]):
        read[f"why {each.agent} {each.tick}"] = lambda each=each: see_thought(  # type: ignore[misc]
            runs, RUN, each.agent, str(each.tick)
        )
    for talk in talks[:1]:
        read[f"why {talk.id}"] = lambda talk=talk: see_talk(runs, RUN, talk.id)  # type: ignore[misc]
    for what, attempt in read.items():
        try:
            attempt()
        except SmolvilleError:
            pass
        except Exception as error:  # noqa: BLE001
            yield f"{what}: {error!r}"[:300]


def _kept(run: Path) -> dict[str, str]:
    """Return the state of a run's folder, without what SQLite shares among readers."""
    return {name: it for name, it in state_of(run).items() if not name.endswith(("-wal", "-shm"))}


@contextmanager
def _limited() -> Iterator[None]:
    """Raise TimeoutError where a block takes too long."""

    def end(*_: object) -> None:
        raise TimeoutError(f"more than {PATIENCE} s")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def flip(smolville: Command, seed: int, bits: int) -> Iterator[str]:
    """Damage a copy of the run by chance, and yield the faults."""
    chance = Random(seed)
    with tempfile.TemporaryDirectory(prefix="smolville-") as place:
        own = Command(Path(place) / "runs", smolville.town)
        shutil.copytree(smolville.runs, own.runs)
        yield from find_faults(
            own, lambda run: flip_bits(run, bits, chance) if bits else flip_cell(run, chance)
        )


def main() -> int:
    """Run the benchmark; the exit code is 1 if anything was not told in a sentence."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=500, help="number of cells; default 500")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; default 0")
    parser.add_argument("--bits", type=int, default=0, help="flip N bits of the file, not a cell")
    asked = parser.parse_args()
    os.environ["SMOLVILLE_HEADLESS"] = "true"
    faults = 0
    with tempfile.TemporaryDirectory(prefix="smolville-") as place, chdir(place):
        smolville = Command(Path(place) / "runs", write_small_town(Path(place) / "town"))
        prepare(smolville)
        for seed in range(asked.seed, asked.seed + asked.cells):
            for fault in flip(smolville, seed, asked.bits):
                faults += 1
                print(f"{seed}: {fault}", flush=True)
            print(
                f"{seed - asked.seed + 1} of {asked.cells}", end="\r", file=sys.stderr, flush=True
            )
    print_figures({"damaged": asked.cells, "faults": faults, "machine": machine()})
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
