"""Executes a long run on a server that fails again and again, and accounts for its memory.

    python benchmarks/soak.py [--cast 25] [--days 7] [--mistakes 0.2] [--every 15] [--seed N]
        [--folder FOLDER] [--compare]

The model is the stand-in with small models' mistakes, behind llama.cpp's protocol and a proxy. At
regular intervals the proxy hits a call with one of the faults of `tests/fixtures/faults.py`, in
turn. It drops and cuts connections, stalls, answers 429, 500, 502 and 503, sends pages and garbage,
promises more bytes than it sends, and goes away and comes back. At each midnight the program prints
how much memory the process holds. The same command with the same folder continues an ended run.
`--compare` runs the same days once more without any fault, and compares the digests.
"""

import argparse
import asyncio
import gc
import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import machine, print_figures, print_table
from tests.fixtures.fault_injector import Injector, injected
from tests.fixtures.faults import PASSING, Exchange
from tests.fixtures.standin_server import StandInServer, serve_standin, teaching

if TYPE_CHECKING:
    from smolville.history.folder import RunFolder
    from smolville.models.chat import Chat
    from smolville.world.simulation import Simulation

DAY = 86_400
STALL_SECONDS = 5.0
"""Seconds after which the client gives up waiting for a silent server."""
MEMORY_BYTES = 1_200
"""Number of bytes that a memory may take; further growth must be explained."""
WARM_DAY = 2
"""Day after which growth is measured, because everything is loaded by then."""


@dataclass
class FaultInTurn:
    """Applies the faults in turn, and counts how often it has applied each."""

    struck: Counter[str] = field(default_factory=Counter)

    async def __call__(self, exchange: Exchange) -> None:
        """Hit a call with the next fault."""
        names = list(PASSING)
        name = names[self.struck.total() % len(names)]
        self.struck[name] += 1
        await PASSING[name](exchange)


class _Forgetful(dict[Any, Any]):
    """Holds only the latest entries, because a server that runs for days must not grow."""

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        while len(self) > 1000:
            del self[next(iter(self))]


def clumsy(mistakes: float, seed: int) -> Any:
    """Return the stand-in that makes mistakes."""
    from smolville.models.open import open_chat

    return open_chat(f"standin:mistakes={mistakes}", seed=seed)[0].model


def chat_at(url: str, server: StandInServer) -> "Chat":
    """Return the chat of a server behind llama.cpp's protocol."""
    from smolville.models.open import open_chat
    from smolville.models.request import ModelSettings

    settings = ModelSettings(num_ctx=32768, timeout=STALL_SECONDS)
    chat, _ = open_chat(f"llamacpp:{url}", settings=settings)
    # The address is part of the spec, and no part of what is compared.
    return replace(teaching(chat, server), spec="llamacpp:stand-in")


def resident() -> int:
    """Return the memory of this process in bytes, without memory that is free inside it."""
    import ctypes
    import os

    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def held_by_streams(simulation: "Simulation") -> int:
    """Return the bytes of all arrays of the memory streams."""
    parts: list[Any] = list(simulation.engine.runner.streams.by_agent.values())
    for stream in tuple(parts):
        parts += [stream._records, stream._keywords]
    arrays = [each for part in parts if part is not None for each in vars(part).values()]
    return sum(each.nbytes for each in arrays if isinstance(each, np.ndarray))


def counted(path: Path) -> dict[str, int]:
    """Return the numbers of rows in a history."""
    questions = {
        "calls": "SELECT COUNT(*) FROM calls",
        "retries": "SELECT COALESCE(SUM(retries), 0) FROM calls",
        "given_up": "SELECT COUNT(*) FROM given_up",
        "memories": "SELECT COUNT(*) FROM memories",
        "fallbacks": "SELECT COUNT(*) FROM steps WHERE outcome = 'fallback'",
        "repaired": "SELECT COUNT(*) FROM steps WHERE outcome = 'repaired'",
        "steps": "SELECT COUNT(*) FROM steps",
        "failed_thoughts": "SELECT COUNT(*) FROM thoughts WHERE failed != ''",
    }
    with closing(sqlite3.connect(path)) as connection:
        return {name: connection.execute(each).fetchone()[0] for name, each in questions.items()}


async def live_days(
    simulation: "Simulation", chat: "Chat", faults: FaultInTurn, days: int, rows: list[Any]
) -> None:
    """Run day after day, and append a row for each."""
    import time

    try:
        for day in range(simulation.at // DAY + 1, days + 1):
            cpu = time.process_time()
            await simulation.run(day * DAY)
            simulation.engine.runner.store.flush()
            row = {
                "day": day,
                "cpu_s": time.process_time() - cpu,
                "resident": resident(),
                "arrays": held_by_streams(simulation),
                "struck": faults.struck.total(),
                **counted(simulation.folder.history_path),
                "in_chroma": simulation.engine.runner.store.count(),
            }
            rows.append(row)
            print(json.dumps(row), flush=True)
    finally:
        await chat.aclose()


def live(folder: "RunFolder", asked: argparse.Namespace, every: int) -> tuple[list[Any], Any]:
    """Continue a run behind the proxy; return a row for each day, and the faults by name."""
    from smolville.models.pacing import Backoff
    from smolville.world.run_resources import RunResources
    from smolville.world.simulation import open_simulation

    rows: list[Any] = []
    faults = FaultInTurn()
    with serve_standin(clumsy(asked.mistakes, asked.seed)) as server, injected(server.url) as proxy:
        server.known, server.asked, server.requests = _Forgetful(), Counter(), _NoList()
        proxy.fault, proxy.every, proxy.seen = faults, every, _Forgetful()
        _hit_each(proxy, every)
        chat = chat_at(proxy.url, server)
        means = RunResources(backoff=Backoff(first_seconds=0.01, longest_seconds=0.2))
        with open_simulation(folder, (chat, chat), means=means) as simulation:
            asyncio.run(live_days(simulation, chat, faults, asked.days, rows))
    return rows, dict(faults.struck)


class _NoList(list[Any]):
    """A list that stays empty."""

    def append(self, item: Any) -> None:
        """Discard the item."""


def _hit_each(proxy: Injector, every: int) -> None:
    """Make the proxy hit every `every`-th call, of any kind."""
    calls = Counter[str]()

    def is_hit(path: str, body: bytes) -> bool:
        if path not in proxy.paths or not every:
            return False
        calls["all"] += 1
        return calls["all"] % every == 0

    proxy._is_hit = is_hit  # type: ignore[method-assign]


def growth(rows: Sequence[Any]) -> dict[str, float]:
    """Return how much the process has grown since the second day, per memory and beyond."""
    if len(rows) <= WARM_DAY:
        return {}
    first, last = rows[WARM_DAY - 1], rows[-1]
    new = last["memories"] - first["memories"]
    grown = last["resident"] - first["resident"]
    return {
        "new_memories": new,
        "grown_mb": grown / 1e6,
        "bytes_per_memory": grown / max(1, new),
        "beyond_percent": 100.0 * (grown - MEMORY_BYTES * new) / first["resident"],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    from smolville.history.digest import digest
    from smolville.history.folder import RunFolder, list_runs
    from smolville.history.reader import RunReader
    from smolville.world.run_request import RunRequest, create_run

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cast", type=int, default=25)
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--mistakes", type=float, default=0.2)
    parser.add_argument("--every", type=int, default=15, help="a fault hits every N-th call")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--folder", type=Path, default=None, help="folder in which the run is kept and continued"
    )
    parser.add_argument(
        "--compare", action="store_true", help="also run the same days without faults"
    )
    asked = parser.parse_args(arguments)
    with TemporaryDirectory() as temporary:
        runs = asked.folder or Path(temporary)
        runs.mkdir(parents=True, exist_ok=True)
        found: dict[str, Any] = {}
        for name, every in (("soak", asked.every), ("calm", 0))[: 2 if asked.compare else 1]:
            if name not in list_runs(runs):
                chat = replace(plain_chat(asked), spec="llamacpp:stand-in")
                create_run(runs, name, RunRequest(cast=asked.cast, seed=asked.seed), (chat, chat))
            folder = RunFolder.open(runs, name)
            rows, struck = live(folder, asked, every)
            with RunReader(folder) as reader:
                found[name] = {"rows": rows, "struck": struck, "digest": digest(reader)}
    print_all(found)


def plain_chat(asked: argparse.Namespace) -> "Chat":
    """Return the stand-in without mistakes, with which a run's folder is created."""
    from smolville.models.open import open_chat

    return open_chat("standin", seed=asked.seed)[0]


def print_all(found: dict[str, Any]) -> None:
    """Print the table of the days, the faults, and everything as JSON."""
    rows = found["soak"]["rows"]
    columns = list(rows[0]) if rows else []
    print_table(f"Midnights ({machine()})", columns, [tuple(row.values()) for row in rows])
    print_table("Faults", ("fault", "times"), list(found["soak"]["struck"].items()))
    figures = {**growth(rows), **found}
    if "calm" in found:
        figures["is_same"] = found["soak"]["digest"] == found["calm"]["digest"]
    print_figures(figures)


if __name__ == "__main__":
    main()
